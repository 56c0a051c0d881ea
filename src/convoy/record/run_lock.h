// Keeps two processes from writing the same run, which would ruin both.
#pragma once

#include <filesystem>

namespace convoy {

// Holds a folder for this process until it ends, however it ends. On file systems without such locks it holds nothing.
class RunLock {
 public:
  // Throws UserError when another holds it.
  explicit RunLock(const std::filesystem::path& folder);
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

  // Throws SystemError when the folder, which had this path, was deleted, moved or replaced.
  void require_there(const std::filesystem::path& folder) const;

 private:
  int descriptor_ = -1;
};

}  // namespace convoy
