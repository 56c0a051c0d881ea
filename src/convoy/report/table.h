// A table of text, for pages and spreadsheets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::report {

// Rows that stand out by a sign before the first cell and by their colour.
enum class RowMark : std::uint8_t {
  none,
  best,
  doubtful,  // hollow in charts
  failed,
  total,  // with a line above
};

// The sign of a row, and what it means in a word or two; both empty where a row has no sign.
struct MarkLook {
  std::string_view sign;
  std::string_view meaning;
};
[[nodiscard]] MarkLook look_of(RowMark mark);

struct Row {
  std::vector<std::string> cells;  // as many as the header has
  RowMark mark = RowMark::none;
};

struct Table {
  // Used as the name of its file; a-z, 0-9, '-' and '_', unique in a document. May be empty in a Figure.
  std::string id;
  std::string caption;
  std::vector<std::string> header;
  std::vector<Row> rows;
  // Columns that few readers need. If the table is wide, pages show them in a second, folded table, in which each row
  // begins with its first `keys` cells.
  std::vector<std::string> details = {};
  std::size_t keys = 1;
  bool folded = false;  // pages fold the whole table

  void add_row(std::vector<std::string> cells, RowMark mark = RowMark::none);
};

// The table without columns in which all cells are empty or "-". This is for readers; files keep them.
[[nodiscard]] Table without_empty_columns(const Table& table);

// A table as pages show it: without columns that say nothing and, if more than kMostColumns are left, with its details
// in a table of their own.
inline constexpr std::size_t kMostColumns = 10;
struct ShownTable {
  Table main;
  std::optional<Table> details;
};
[[nodiscard]] ShownTable shown_table(const Table& table);

// For each column, whether its cells are numbers (apart from empty ones and "-"). Such columns are aligned to the
// right.
[[nodiscard]] std::vector<bool> number_columns(const Table& table);

// What the signs of the first `rows` rows mean: "★ best, ○ doubtful"; empty where none has a sign.
[[nodiscard]] std::string key_of_marks(const Table& table, std::size_t rows);

// RFC 4180: the header comes first, lines end in CR LF, cells are quoted where necessary, and text that a spreadsheet
// would compute begins with an apostrophe (csv_cell.h). Marks are not included.
[[nodiscard]] std::string to_csv(const Table& table);

}  // namespace convoy::report
