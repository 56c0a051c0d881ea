// Bytes of whole files, gzipped or not.
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

// The contents of a file, unzipped when they begin as gzip does, whatever the name says. Throws DataError with path and
// reason.
[[nodiscard]] Bytes read_unzipped_file(const std::filesystem::path& path);

// Unzips one or several gzip members that follow each other. Throws DataError with `name` and the offset in the
// compressed bytes when they are corrupt or cut short, or unzip to more than `limit_bytes`.
[[nodiscard]] Bytes gunzip(std::span<const std::uint8_t> zipped, std::string_view name,
                           std::size_t limit_bytes = std::size_t{1} << 34);

}  // namespace convoy::data
