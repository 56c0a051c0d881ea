// Cells of a CSV file, written so that neither commas nor spreadsheets change what they say.
#pragma once

#include <string>
#include <string_view>

namespace convoy {

// The text as a cell, quoted where RFC 4180 demands it. Text that a spreadsheet would take for a formula (it begins
// with '=', '+', '-', '@', a tab or a carriage return and is not a number) gets an apostrophe in front. So does such
// text with apostrophes already before it, so that text_of_csv_cell can undo it.
[[nodiscard]] std::string csv_cell(std::string_view text);

// The inverse of csv_cell, for a cell whose quotes have been removed.
[[nodiscard]] std::string_view text_of_csv_cell(std::string_view cell);

}  // namespace convoy
