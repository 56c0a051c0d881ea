// Why a call to the system failed, and where that is not plain what to do about it.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

namespace convoy {

[[nodiscard]] inline std::string reason_text(int error) {
  const std::string text = std::strerror(error);
  return error == EFBIG ? text + "; a file may be no larger here: raise `ulimit -f`" : text;
}

}  // namespace convoy
