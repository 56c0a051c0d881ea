// Keeps two processes from writing the same run, which would ruin both.
#pragma once

#include <filesystem>

#include "convoy/base/file/file_lock.h"

namespace convoy {

// Holds a folder for this process until it ends, however it ends. On file systems without such locks it holds nothing.
class RunLock {
 public:
  // Throws UserError when another holds it.
  explicit RunLock(const std::filesystem::path& folder);

  // Throws SystemError when the folder, which had this path, was deleted, moved or replaced.
  void require_there(const std::filesystem::path& folder) const;

 private:
  FileLock lock_;
};

}  // namespace convoy
