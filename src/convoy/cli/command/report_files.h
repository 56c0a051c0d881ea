// Writes reports, and overwrites nothing that Convoy has not written itself.
#pragma once

#include <filesystem>
#include <vector>

#include "convoy/report/render/document_files.h"

namespace convoy::cli {

// In the folder of tables and figures, which have no place for a mark: the names of those that Convoy has written.
inline constexpr const char* kWrittenNames = ".written-by-convoy";

// Whether writing the file would destroy something of somebody else's: it is there, carries no mark of Convoy's
// (report::kGeneratorMark) and is not among the written names of its folder.
[[nodiscard]] bool is_foreign(const std::filesystem::path& file);

// All of the files or, when one of them is foreign, none. Throws UserError that names the foreign one.
void write_report_files(const std::filesystem::path& folder, const std::vector<report::NamedFile>& files);

}  // namespace convoy::cli
