// A file being read, whose failures are errors with the path and the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace convoy {

class InputFile {
 public:
  // Throws DataError when there is no regular file that can be read.
  explicit InputFile(std::filesystem::path path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size_bytes() const { return size_; }  // when it was opened

  // Reads on from where the last read ended, as many bytes as `bytes` has. Throws DataError when the file ends before.
  void read(std::span<std::byte> bytes);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// All of a file. Throws DataError.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace convoy
