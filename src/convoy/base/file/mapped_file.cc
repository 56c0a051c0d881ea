#include "convoy/base/file/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "convoy/base/error.h"

namespace convoy {

namespace {

// Memory of the file, empty for an empty file; negative descriptors and other failures leave errno.
bool map(int descriptor, std::span<const std::uint8_t>& bytes) {
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return false;
  errno = EINVAL;
  if (!S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0) return true;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return false;
  bytes = {static_cast<const std::uint8_t*>(memory), size};
  return true;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const bool mapped = map(descriptor, bytes_);
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (!mapped) throw DataError("{}: cannot be read: {}", path.string(), std::strerror(reason));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace convoy
