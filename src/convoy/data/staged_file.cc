#include "convoy/data/staged_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "convoy/base/error.h"

namespace convoy::data {

StagedFile::StagedFile(std::filesystem::path target) : target_(std::move(target)) {
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    name_ = fmt::format("{}.{}-{}.tmp", target_.string(), getpid(), attempt);
    descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail("cannot be created");
  }
}

StagedFile::~StagedFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

void StagedFile::append(std::span<const std::uint8_t> bytes) {
  write_at(size_bytes_, bytes);
  size_bytes_ += bytes.size();
}

void StagedFile::overwrite(std::uint64_t offset, std::span<const std::uint8_t> bytes) { write_at(offset, bytes); }

void StagedFile::commit() {
  if (fsync(descriptor_) != 0) fail("cannot be written");
  if (std::rename(name_.c_str(), target_.c_str()) != 0) fail("cannot be put in place");
  name_.clear();
}

void StagedFile::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) fail("cannot be written");
    if (written > 0) {
      offset += static_cast<std::uint64_t>(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
}

void StagedFile::fail(const char* what) const {
  throw DataError("{}: {}: {}; nothing was left behind", target_.string(), what, std::strerror(errno));
}

}  // namespace convoy::data
