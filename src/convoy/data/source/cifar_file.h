// The binary version of CIFAR: records of one label (CIFAR-10) or two (CIFAR-100: coarse, fine) and 3x32x32 bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "convoy/data/source/memory_source.h"

namespace convoy::data {

inline constexpr std::int64_t kCifarImageBytes = 3 * 32 * 32;

struct CifarFormat {
  int label_bytes = 1;  // the last of them is the class
  int classes = 10;
};

inline constexpr CifarFormat kCifar10{.label_bytes = 1, .classes = 10};
inline constexpr CifarFormat kCifar100{.label_bytes = 2, .classes = 100};

// Appends the records to `samples`. With `skip_corrupt`, records with a label out of range and a last one that is cut
// short are left out; their number is returned. Otherwise throws DataError with `name` and the offset.
std::int64_t parse_cifar(std::span<const std::uint8_t> bytes, std::string_view name, const CifarFormat& format,
                         bool skip_corrupt, Samples& samples);

}  // namespace convoy::data
