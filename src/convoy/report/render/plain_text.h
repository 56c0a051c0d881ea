// A section of a report for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "convoy/report/document.h"

namespace convoy::report {

inline constexpr std::size_t kPlainTextColumns = 100;

// Text is wrapped at kPlainTextColumns, tables are as wide as they need. Figures are left out: their numbers are in
// the files of the report. Rows that stand out have a word after their last cell ("failed", "doubtful", "best").
[[nodiscard]] std::string to_plain_text(const Section& section);

}  // namespace convoy::report
