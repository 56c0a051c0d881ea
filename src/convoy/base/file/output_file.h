// A file being written, whose failures are errors with the path and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace convoy {

class OutputFile {
 public:
  enum class Start : std::uint8_t { fresh, at_end };

  // Creates the file when it is not there; an old one is emptied or added to. Throws SystemError.
  OutputFile(std::filesystem::path path, Start start);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  // Adds the bytes at the end, in one call to the system unless that takes only a part. They outlive this process from
  // then on, though not yet the machine. Throws SystemError, and then the file ends where it did before; also when the
  // file was deleted, moved or replaced, so that nobody would find the bytes.
  void write(std::string_view bytes);

  // What was written is on the disk when this returns. Throws SystemError.
  void sync();

  // Throws SystemError when the file was deleted, moved or replaced.
  void require_there() const;

 private:
  [[noreturn]] void refuse(const char* what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace convoy
