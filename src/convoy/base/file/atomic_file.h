// Files that exist completely or not at all: a reader, or a run after a crash, never sees half a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "convoy/base/file/file_lock.h"

namespace convoy {

// Writes a file part by part beside its target, then renames it to the target when it is complete. The temporary file
// is deleted at the end of the scope unless commit() was called. The constructor also removes temporary files that
// killed writers of the same target left behind. Failures, such as a full disk, throw WriteError with the target's
// path. Several writers at once are safe; the last to commit wins.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void append(std::span<const std::byte> bytes);
  // Replaces bytes that were appended before.
  void overwrite(std::uint64_t offset, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

  // Syncs the bytes to the disk, renames, and syncs the name.
  void commit();

 private:
  // Creates the temporary file under a name that is free.
  void create();
  [[noreturn]] void refuse(const char* action) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty when no temporary file exists
  FileLock file_;
  std::uint64_t size_bytes_ = 0;
};

// Replaces the contents of the file at `path`. Throws WriteError, and then the old file is unchanged.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

}  // namespace convoy
