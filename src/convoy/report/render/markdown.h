// A document as Markdown (GitHub's), for readmes and pull requests.
#pragma once

#include <string>

#include "convoy/report/document.h"

namespace convoy::report {

// Figures are references to the files of to_svg_files with their numbers as tables; tables of many rows are cut short
// and refer to the files of to_csv_files. Throws InternalError for a document that check_document refuses.
[[nodiscard]] std::string to_markdown(const Document& document);

}  // namespace convoy::report
