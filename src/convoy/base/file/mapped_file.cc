#include "convoy/base/file/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"

namespace convoy {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const InputFile file(path);
  const auto size = static_cast<std::size_t>(file.size_bytes());
  if (size == 0) return;
  void* const memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor().get(), 0);
  if (memory == MAP_FAILED) throw DataError("cannot read {}: {}", path.string(), std::strerror(errno));
  bytes_ = {static_cast<const std::uint8_t*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace convoy
