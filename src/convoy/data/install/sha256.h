// SHA-256 of files, to tell a data set from a damaged or different one.
#pragma once

#include <filesystem>
#include <string>

namespace convoy::data {

// In lower-case hexadecimal digits. Throws DataError when the file cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace convoy::data
