// Locks on files and folders. The system releases a lock when its process ends, however it ends. So files that a killed
// process left behind can be told from those that a living process still needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "convoy/base/file/descriptor.h"

namespace convoy {

// Holds the lock of a file or folder until the end of its scope. On file systems without locks it holds nothing.
class FileLock {
 public:
  enum class Wait : std::uint8_t { no, yes };

  // Holds nothing.
  FileLock() = default;

  // Locks the open file; holds nothing when `file` is not open.
  explicit FileLock(Descriptor file, Wait wait = Wait::no);

  // Locks what is at `path`, unless that is a symbolic link.
  explicit FileLock(const std::filesystem::path& path);

  [[nodiscard]] bool is_held() const { return state_ == State::held; }
  // Whether another process or another open file holds the lock.
  [[nodiscard]] bool is_taken() const { return state_ == State::taken; }
  // Whether `path` still leads to the file that was opened for locking.
  [[nodiscard]] bool is_at(const std::filesystem::path& path) const;
  [[nodiscard]] const Descriptor& descriptor() const { return file_; }

 private:
  enum class State : std::uint8_t { nothing, held, taken };

  Descriptor file_;
  State state_ = State::nothing;
};

// Removes the entries of `folder` that nobody has locked and whose names are `beginning`, then only digits and dashes,
// then `ending`.
void remove_abandoned(const std::filesystem::path& folder, const std::string& beginning,
                      const std::string& ending = "");

}  // namespace convoy
