// A document in the forms that people read: a web page, Markdown, text on a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "convoy/report/document.h"

namespace convoy::report {

// A document as one self-contained HTML file: no network, no scripts, no other files.

// Throws InternalError for a document that check_document refuses.
[[nodiscard]] std::string to_html(const Document& document);

// A document as GitHub's Markdown, for readmes and pull requests.

inline constexpr std::size_t kMostMarkdownRows = 60;

// Figures refer to the files of to_svg_files and have their numbers as tables; tables with more than `most_rows` rows
// are cut and refer to the files of to_csv_files. Throws InternalError for a document that check_document refuses.
[[nodiscard]] std::string to_markdown(const Document& document, std::size_t most_rows = kMostMarkdownRows);

// One JSON object, for programs, with the tables of a document and the numbers of its figures, by their ids. Throws
// InternalError for a document that check_document refuses.
[[nodiscard]] std::string to_json_text(const Document& document);

// A section of a report for the terminal.

inline constexpr std::size_t kPlainTextColumns = 100;

// Text is wrapped at kPlainTextColumns; tables are as wide as necessary. Figures are left out: their numbers are in the
// files of the report. Marked rows have a word after their last cell ("failed", "doubtful", "best").
[[nodiscard]] std::string to_plain_text(const Section& section);

}  // namespace convoy::report
