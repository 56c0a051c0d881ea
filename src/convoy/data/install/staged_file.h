// A large file that is written piece by piece and appears under its name only when it is complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "convoy/base/file/file_lock.h"

namespace convoy::data {

// Writes beside the target; gone at the end of its scope unless commit() was called. What killed writers of the same
// target have left goes too. Failures to write, a full disk
// first of all, are StorageErrors.
class StagedFile {
 public:
  explicit StagedFile(std::filesystem::path target);
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile();

  void append(std::span<const std::uint8_t> bytes);
  // Over bytes that are there already.
  void overwrite(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

  // Syncs and renames.
  void commit();

 private:
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) const;
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path target_;
  std::string name_;
  std::optional<Claim> claim_;
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace convoy::data
