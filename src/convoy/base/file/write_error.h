// The error that everything that writes files throws: which file or folder, and why.
#pragma once

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {

class WriteError : public SystemError {
 public:
  // "cannot `action` `path`: `reason`".
  WriteError(const char* action, const std::filesystem::path& path, std::string reason)
      : SystemError(fmt::format("cannot {} {}: {}", action, path.string(), reason)), reason_(std::move(reason)) {}

  // As above; the reason is the text for an errno value.
  WriteError(const char* action, const std::filesystem::path& path, int error)
      : WriteError(action, path, reason_of(error)) {}

  // Only the reason, for callers that show another name for the file.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  static std::string reason_of(int error) {
    const std::string text = std::strerror(error);
    return error == EFBIG ? text + "; a file may be no larger here: raise `ulimit -f`" : text;
  }

  std::string reason_;
};

}  // namespace convoy
