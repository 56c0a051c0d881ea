// Locks on files and folders. The system gives a lock back when its process ends, however it ends, so that what a
// killed process has left can be told from what a living one needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "convoy/base/file/descriptor.h"

namespace convoy {

// Holds a file or folder until the end of its scope. On file systems without locks it holds nothing.
class FileLock {
 public:
  enum class Wait : std::uint8_t { no, yes };

  // Holds nothing.
  FileLock() = default;

  // Locks what is open, if anything is.
  explicit FileLock(Descriptor file, Wait wait = Wait::no);

  // Locks what is at `path`, which is no symbolic link.
  explicit FileLock(const std::filesystem::path& path);

  [[nodiscard]] bool is_held() const { return state_ == State::held; }
  // Whether somebody else holds it.
  [[nodiscard]] bool is_taken() const { return state_ == State::taken; }
  // Whether `path` leads to what was locked, or was to be.
  [[nodiscard]] bool is_at(const std::filesystem::path& path) const;
  [[nodiscard]] const Descriptor& descriptor() const { return file_; }

 private:
  enum class State : std::uint8_t { nothing, held, taken };

  Descriptor file_;
  State state_ = State::nothing;
};

// Removes the entries of `folder` that nobody holds and whose names are `beginning`, then numbers and dashes alone,
// then `ending`.
void remove_abandoned(const std::filesystem::path& folder, const std::string& beginning,
                      const std::string& ending = "");

}  // namespace convoy
