// A file seen as memory, read only: pages come from the disk when they are touched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace convoy {

class MappedFile {
 public:
  // Throws DataError with path and reason.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace convoy
