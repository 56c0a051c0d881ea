// Reads the bytes of whole files, gzipped or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::data {

using Bytes = std::vector<std::uint8_t>;

// The contents of a file, unzipped if they begin like gzip data, whatever the file's name. Throws DataError with path
// and reason.
[[nodiscard]] Bytes read_unzipped_file(const std::filesystem::path& path);

// Unzips one or several consecutive gzip members. Throws DataError with `name` and the offset in the compressed bytes
// when they are corrupt or cut short, or when the result exceeds `limit_bytes`.
[[nodiscard]] Bytes gunzip(std::span<const std::uint8_t> zipped, std::string_view name,
                           std::size_t limit_bytes = std::size_t{1} << 34);

}  // namespace convoy::data
