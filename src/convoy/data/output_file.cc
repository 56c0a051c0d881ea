#include "convoy/data/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "convoy/base/file/mapped_file.h"

namespace convoy::data {

namespace fs = std::filesystem;

bool write_fully(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) {
      offset += static_cast<std::uint64_t>(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  return true;
}

OutputFile::OutputFile(fs::path path)
    : path_(std::move(path)),
      descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail();
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
}

void OutputFile::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  if (!write_fully(descriptor_, offset, bytes)) fail();
}

void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void OutputFile::fail() const { throw StorageError(path_, "cannot be written", std::strerror(errno)); }

void copy_contents(const fs::path& from, const fs::path& to) {
  const MappedFile source(from);
  OutputFile target(to);
  target.write_at(0, source.bytes());
  target.close();
}

void copy_tree(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = to / entry.path().lexically_relative(from);
    if (entry.is_directory() && !entry.is_symlink()) {
      fs::create_directories(target);
    } else if (entry.is_regular_file()) {
      copy_contents(entry.path(), target);
    }
  }
}

}  // namespace convoy::data
