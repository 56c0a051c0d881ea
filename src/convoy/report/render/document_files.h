// The tables and figures of a document as separate files. Nothing is written here; the caller decides where to.
#pragma once

#include <string>
#include <vector>

#include "convoy/report/document.h"

namespace convoy::report {

// Shows that Convoy has written a page or text.
inline constexpr const char* kGeneratorMark = "name=\"generator\" content=\"Convoy\"";

struct NamedFile {
  std::string name;  // relative, with '/': "figures/throughput.svg"
  std::string content;
};

[[nodiscard]] std::string csv_file_name(const std::string& id);
[[nodiscard]] std::string svg_file_name(const std::string& id);

// One file for each table, and for each figure with data. This and the next function throw InternalError for a document
// that check_document refuses.
[[nodiscard]] std::vector<NamedFile> to_csv_files(const Document& document);

// One file for each figure.
[[nodiscard]] std::vector<NamedFile> to_svg_files(const Document& document);

}  // namespace convoy::report
