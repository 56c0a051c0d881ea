// Finds out from its content which system wrote a log, and reads it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// The runs of a file. A name that ends in .csv means a table; TensorBoard's event files are recognised by their first
// bytes; any other file is a log of the system whose line comes first. A folder is one run of event files. Throws
// DataError; if nothing is recognised, it says what would be.
[[nodiscard]] std::vector<ImportedLog> read_log(const std::filesystem::path& path);

// The same for a text.
[[nodiscard]] std::vector<ImportedLog> parse_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
