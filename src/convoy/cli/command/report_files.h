// Writes reports without overwriting files that Convoy did not write.
#pragma once

#include <filesystem>
#include <vector>

#include "convoy/report/render/document_files.h"

namespace convoy::cli {

// In a folder of tables and figures, which cannot contain a mark themselves: lists the names of those that Convoy has
// written.
inline constexpr const char* kWrittenNames = ".written-by-convoy";

// Whether writing the file would destroy somebody else's: it exists, does not contain Convoy's mark
// (report::kGeneratorMark) and is not listed in its folder.
[[nodiscard]] bool is_foreign(const std::filesystem::path& file);

// Writes all of the files or, if one of them is foreign, none. Throws UserError that names the foreign one.
void write_report_files(const std::filesystem::path& folder, const std::vector<report::NamedFile>& files);

}  // namespace convoy::cli
