// Size and hash of a file, which show whether it was cut short or altered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace convoy {

struct FileDigest {
  std::int64_t bytes = 0;
  std::string hash;  // XXH3 of 128 bits, 32 hexadecimal digits

  bool operator==(const FileDigest&) const = default;
};

// Computes a digest part by part.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  void add(std::string_view bytes);
  [[nodiscard]] FileDigest digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::int64_t bytes_ = 0;
};

[[nodiscard]] FileDigest digest_of(std::string_view bytes);

// Throws DataError when the file cannot be read.
[[nodiscard]] FileDigest digest_of_file(const std::filesystem::path& path);

}  // namespace convoy
