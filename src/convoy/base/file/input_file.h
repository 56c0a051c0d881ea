// Reads a file; failures are errors with the path and the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/file/descriptor.h"

namespace convoy {

class InputFile {
 public:
  // Throws DataError when `path` is not a regular file that can be read.
  explicit InputFile(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size_bytes() const { return size_; }  // at the time when it was opened
  [[nodiscard]] const Descriptor& descriptor() const { return descriptor_; }

  // Reads the next bytes.size() bytes. Throws DataError when the file ends before that.
  void read(std::span<std::byte> bytes);

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
};

// Read a whole file, as text or as bytes. The last one reuses the memory of `bytes`. Throw DataError.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);
[[nodiscard]] std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path);
void read_bytes(const std::filesystem::path& path, std::vector<std::uint8_t>& bytes);

}  // namespace convoy
