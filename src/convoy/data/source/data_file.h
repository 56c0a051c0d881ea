// Finds the files of a known data set in the places where people have them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace convoy::data {

// `name` or `name`.gz in `folder` or in one of the folders directly below it (archives bring a folder of their own);
// "-idx" may be written ".idx", as some mirrors do.
[[nodiscard]] std::optional<std::filesystem::path> find_data_file(const std::filesystem::path& folder,
                                                                  const std::string& name);

// The same, but throws DataError when there is none.
[[nodiscard]] std::filesystem::path require_data_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace convoy::data
