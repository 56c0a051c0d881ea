// Tables in a page.
#pragma once

#include <string>

#include "convoy/report/table.h"

namespace convoy::report {

struct HtmlTable {
  std::string element_id = {};
  std::string label = {};      // before the caption: "Table 3"
  std::string file_name = {};  // offers the numbers for download under this name; empty: does not
  std::size_t most_rows = static_cast<std::size_t>(-1);  // of more, the first are shown and the rest are counted
};

// In a box of its own, which scrolls where the table is wider than the page.
[[nodiscard]] std::string html_table(const Table& table, const HtmlTable& options);

// "<a ...>CSV</a>": the table inside of its own link, so that the page needs no other file.
[[nodiscard]] std::string csv_link(const Table& table, const std::string& file_name);

}  // namespace convoy::report
