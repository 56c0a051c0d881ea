// The format of a pack on disk: header, pixels, index (labels, checksums), names. Little-endian; checksums are XXH3.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace convoy::data {

static_assert(std::endian::native == std::endian::little, "packs are written and read as they lie in memory");

inline constexpr std::array<char, 8> kPackMagic{'C', 'O', 'N', 'V', 'O', 'Y', 'P', 'K'};
inline constexpr std::uint32_t kPackVersion = 1;
inline constexpr std::uint64_t kPackPixelsOffset = 4096;  // the header has the first page to itself
inline constexpr int kPackMostChannels = 4;

struct PackHeader {
  std::array<char, 8> magic = kPackMagic;
  std::uint32_t version = kPackVersion;
  std::uint32_t channels = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t fingerprint = 0;  // identifies the files it was made from
  std::uint64_t train_count = 0;
  std::uint64_t test_count = 0;
  std::uint64_t skipped = 0;  // corrupt images that were left out
  std::uint64_t class_count = 0;
  // After the pixels: an int32 label for each sample, padded to 8 bytes, then a uint64 checksum for each, then the
  // names, each as a uint32 length and bytes: first the source's, then the classes'.
  std::uint64_t index_offset = 0;
  std::uint64_t names_offset = 0;
  std::uint64_t names_bytes = 0;
  std::array<float, kPackMostChannels> mean{};
  std::array<float, kPackMostChannels> deviation{};
  std::uint64_t index_checksum = 0;   // of everything from index_offset on
  std::uint64_t header_checksum = 0;  // of everything above
};

static_assert(std::is_trivially_copyable_v<PackHeader> && sizeof(PackHeader) == 144);

}  // namespace convoy::data
