// Files that are there whole or not at all: a reader, or a run after a crash, never sees half of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "convoy/base/file/file_lock.h"

namespace convoy {

// A file that is written piece by piece beside its target and takes the target's name when it is complete. It is gone
// at the end of its scope unless commit() was called. What killed writers of the same target have left is removed too.
// Failures, a full disk first of all, are WriteErrors with the target's path. Several writers at once are safe; the
// last to commit wins.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void append(std::span<const std::byte> bytes);
  // Over bytes that are there already.
  void overwrite(std::uint64_t offset, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

  // Syncs the bytes to the disk, renames, and syncs the name.
  void commit();

 private:
  // Creates the temporary file under a name that is free.
  void create();
  [[noreturn]] void refuse(const char* action) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty: there is none
  FileLock file_;
  std::uint64_t size_bytes_ = 0;
};

// Replaces the file at `path` by `contents`. Throws WriteError, leaving the old file as it was.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

}  // namespace convoy
