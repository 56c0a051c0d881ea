// Writes a file in place; failures are errors with the path and the reason. Bytes that were written stay even if the
// file never becomes complete; atomic_file.h is for files that must be complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "convoy/base/file/descriptor.h"

namespace convoy {

class OutputFile {
 public:
  enum class Start : std::uint8_t {
    fresh,          // an existing file is emptied
    fresh_no_link,  // the same, but a symbolic link is refused, since it could lead anywhere
    at_end,         // an existing file is extended
  };

  // Creates the file if it does not exist. Throws WriteError.
  OutputFile(std::filesystem::path path, Start start);

  // Appends the bytes, with one system call unless that takes only a part of them. From then on they survive the end of
  // this process, but not a crash of the machine (see sync()). Throws WriteError, and then the file ends where it did
  // before. Throws SystemError when the file was deleted, moved or replaced, since nobody would find the bytes.
  void write(std::string_view bytes);

  // Writes the bytes at `offset`, which may be before or after the end of the file. Throws WriteError.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);

  [[nodiscard]] std::uint64_t size_bytes() const { return size_; }

  // When this returns, all bytes written so far are on the disk. Throws WriteError.
  void sync();

  // Closes the file; some file systems report a full disk only here. Throws WriteError.
  void close();

  // Throws SystemError when the file was deleted, moved or replaced.
  void require_there() const;

 private:
  [[noreturn]] void refuse(const char* action) const;

  std::filesystem::path path_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace convoy
