#include "convoy/base/file/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {

InputFile::InputFile(std::filesystem::path path)
    : path_(std::move(path)),
      // O_NONBLOCK: opening a pipe that was given instead of a file must not wait for a writer.
      descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status = {};
  if (!descriptor_.is_open() || fstat(descriptor_.get(), &status) != 0) {
    throw DataError("cannot read {}: {}", path_.string(), std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) throw DataError("cannot read {}: it is not a regular file", path_.string());
  size_ = static_cast<std::uint64_t>(status.st_size);
}

void InputFile::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t taken = ::read(descriptor_.get(), bytes.data(), bytes.size());
    if (taken < 0 && errno != EINTR) throw DataError("cannot read {}: {}", path_.string(), std::strerror(errno));
    if (taken == 0) throw DataError("{} ends too early", path_.string());
    bytes = bytes.subspan(taken < 0 ? 0 : static_cast<std::size_t>(taken));
  }
}

std::string read_file(const std::filesystem::path& path) {
  InputFile file(path);
  std::string text(file.size_bytes(), '\0');
  file.read(std::as_writable_bytes(std::span(text)));
  return text;
}

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path) {
  std::vector<std::uint8_t> bytes;
  read_bytes(path, bytes);
  return bytes;
}

void read_bytes(const std::filesystem::path& path, std::vector<std::uint8_t>& bytes) {
  InputFile file(path);
  bytes.resize(file.size_bytes());
  file.read(std::as_writable_bytes(std::span(bytes)));
}

}  // namespace convoy
