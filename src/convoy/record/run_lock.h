// Prevents two processes from writing the same run, which would ruin it.
#pragma once

#include <filesystem>

#include "convoy/base/file/file_lock.h"

namespace convoy {

// Holds a lock on the folder until this process ends, however it ends. On file systems without locks it holds nothing.
class RunLock {
 public:
  // Throws UserError when another process holds it.
  explicit RunLock(const std::filesystem::path& folder);

  // Throws SystemError when the folder that was locked at this path was deleted, moved or replaced.
  void require_there(const std::filesystem::path& folder) const;

 private:
  FileLock lock_;
};

}  // namespace convoy
