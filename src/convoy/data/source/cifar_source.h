// CIFAR-10 and CIFAR-100 in their binary version, gzipped or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "convoy/data/source/memory_source.h"
#include "convoy/data/source/source.h"
#include "convoy/data/source/source_options.h"

namespace convoy::data {

// Records of the binary version: one label byte (CIFAR-10) or two (CIFAR-100: coarse, fine), then 3x32x32 bytes.
inline constexpr std::int64_t kCifarImageBytes = 3 * 32 * 32;

struct CifarFormat {
  int label_bytes = 1;  // the last of them is the class
  int classes = 10;
};

inline constexpr CifarFormat kCifar10{.label_bytes = 1, .classes = 10};
inline constexpr CifarFormat kCifar100{.label_bytes = 2, .classes = 100};

// Appends the records to `samples`. With `skip_corrupt`, records whose label is out of range and a last record that is
// cut short are left out, and their number is returned. Otherwise throws DataError with `name` and the offset.
std::int64_t parse_cifar(std::span<const std::uint8_t> bytes, std::string_view name, const CifarFormat& format,
                         bool skip_corrupt, Samples& samples);

// `name` is "cifar10" or "cifar100". If only some of CIFAR-10's five training batches exist, they are used, with a
// note; the test file and at least one training file must exist. Otherwise, or when a file is corrupt, throws
// DataError.
[[nodiscard]] std::unique_ptr<Source> open_cifar(const std::string& name, const std::filesystem::path& folder,
                                                 const SourceOptions& options);

}  // namespace convoy::data
