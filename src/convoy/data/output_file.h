// Files being written, whose failures say which file and why: a full disk first of all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "convoy/base/error.h"

namespace convoy::data {

// Something could not be stored.
class StorageError : public DataError {
 public:
  // `what` could not be done, `reason` is the system's.
  StorageError(const std::filesystem::path& path, const std::string& what, std::string reason)
      : DataError("{}: {}: {}", path.string(), what, reason), reason_(std::move(reason)) {}

  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

// Writes all of `bytes` at `offset`; false leaves the reason in errno.
[[nodiscard]] bool write_fully(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes);

// A new file, or a file made empty; not through a symbolic link. What was written stays, whole or not. Throws
// StorageError.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  // Some file systems tell of a full disk only now.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int descriptor_;
};

// Copies the contents. The standard library's copy_file() calls a full disk an input/output error.
void copy_contents(const std::filesystem::path& from, const std::filesystem::path& to);

// The same for all files below a folder, at any depth. Links to files are copied as files; others are passed over.
void copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace convoy::data
