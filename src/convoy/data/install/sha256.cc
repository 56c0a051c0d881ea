#include "convoy/data/install/install_steps.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <new>
#include <span>

#include "convoy/base/file/mapped_file.h"

namespace convoy::data {

std::string sha256_of(std::span<const std::uint8_t> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  std::string text;
  for (const unsigned char byte : std::span(digest).first(size)) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

std::string sha256_of_file(const std::filesystem::path& path) { return sha256_of(MappedFile(path).bytes()); }

}  // namespace convoy::data
