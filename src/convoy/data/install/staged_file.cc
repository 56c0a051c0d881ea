#include "convoy/data/install/staged_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "convoy/data/output_file.h"

namespace convoy::data {

StagedFile::StagedFile(std::filesystem::path target) : target_(std::move(target)) {
  remove_abandoned(target_.has_parent_path() ? target_.parent_path() : ".", target_.filename().string() + ".", ".tmp");
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    name_ = fmt::format("{}.{}-{}.tmp", target_.string(), getpid(), attempt);
    descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail("cannot be created");
  }
  claim_.emplace(name_);
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
  if (!write_fully(descriptor_, offset, bytes)) fail("cannot be written");
}

void StagedFile::fail(const char* what) const {
  throw StorageError(target_, what, fmt::format("{}; nothing was left behind", std::strerror(errno)));
}

}  // namespace convoy::data
