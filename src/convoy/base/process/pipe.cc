#include "convoy/base/process/pipe.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "convoy/base/error.h"

namespace convoy {

Pipe::Pipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw SystemError(fmt::format("no pipe: {}", std::strerror(errno)));
  out = Descriptor(ends[0]);
  in = Descriptor(ends[1]);
}

}  // namespace convoy
