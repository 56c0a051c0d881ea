// A file being written in place, whose failures are errors with the path and the reason. What was written stays, whole
// or not; atomic_file.h is for files that must be whole.
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
    fresh,          // an old file is emptied
    fresh_no_link,  // the same, but a symbolic link is refused: it would lead anywhere
    at_end,         // an old file is added to
  };

  // Creates the file when it is not there. Throws WriteError.
  OutputFile(std::filesystem::path path, Start start);

  // Adds the bytes at the end, in one call to the system unless that takes only a part. They outlive this process from
  // then on, though not yet the machine. Throws WriteError, and then the file ends where it did before. Throws
  // SystemError when the file was deleted, moved or replaced, so that nobody would find the bytes.
  void write(std::string_view bytes);

  // Puts the bytes at `offset`, before or behind the end. Throws WriteError.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);

  [[nodiscard]] std::uint64_t size_bytes() const { return size_; }

  // What was written is on the disk when this returns. Throws WriteError.
  void sync();

  // Some file systems tell of a full disk only now. Throws WriteError.
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
