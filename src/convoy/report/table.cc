#include "convoy/report/table.h"

#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/csv_cell.h"
#include "convoy/base/number_text.h"

namespace convoy::report {
namespace {

bool says_nothing(const std::string& cell) { return cell.empty() || cell == "-" || cell == "–"; }

bool is_number_column(const Table& table, std::size_t column) {
  bool any = false;
  for (const Row& row : table.rows) {
    const std::string& cell = row.cells[column];
    if (says_nothing(cell)) continue;
    if (!reads_as_number(cell)) return false;
    any = true;
  }
  return any;
}

void append_line(std::string& csv, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) csv += ',';
    csv += csv_cell(cells[i]);
  }
  csv += "\r\n";
}

}  // namespace

void Table::add_row(std::vector<std::string> cells, RowMark mark) {
  CONVOY_CHECK_EQ(cells.size(), header.size());
  rows.push_back({.cells = std::move(cells), .mark = mark});
}

std::vector<bool> number_columns(const Table& table) {
  std::vector<bool> columns;
  for (std::size_t i = 0; i < table.header.size(); ++i) columns.push_back(is_number_column(table, i));
  return columns;
}

std::string to_csv(const Table& table) {
  std::string csv;
  append_line(csv, table.header);
  for (const Row& row : table.rows) append_line(csv, row.cells);
  return csv;
}

}  // namespace convoy::report
