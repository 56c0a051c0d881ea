// Finds out by its content which system wrote a log, and reads it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// The runs of a file. One that ends in .csv is a table, event files of TensorBoard are told by their beginning, any
// other is the log of the system whose line comes first. A folder is a run of event files.
// Throws DataError, with what is understood where nothing is.
[[nodiscard]] std::vector<ImportedLog> read_log(const std::filesystem::path& path);

// The same of a text.
[[nodiscard]] std::vector<ImportedLog> parse_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
