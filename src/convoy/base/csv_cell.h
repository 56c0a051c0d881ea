// A cell of a CSV file, so that neither commas nor spreadsheets change what it says.
#pragma once

#include <string>
#include <string_view>

namespace convoy {

// Quoted where it needs it (RFC 4180). Text that a spreadsheet would take for a formula, as it begins with '=', '+',
// '-',
// '@', a tab or a carriage return and is no number, gets an apostrophe in front, and so does text that begins with an
// apostrophe before one of these: nothing is lost.
[[nodiscard]] std::string csv_cell(std::string_view text);

// The text of a cell that csv_cell has written, its quotes taken off already.
[[nodiscard]] std::string_view text_of_csv_cell(std::string_view cell);

}  // namespace convoy
