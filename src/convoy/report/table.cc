#include "convoy/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/csv_cell.h"
#include "convoy/base/number_text.h"

namespace convoy::report {
namespace {

bool says_nothing(const std::string& cell) { return cell.empty() || cell == "-" || cell == "–"; }

// A longer cell that begins with a number is a sentence.
constexpr std::size_t kLongestNumber = 32;

bool is_number_column(const Table& table, std::size_t column) {
  bool any = false;
  for (const Row& row : table.rows) {
    const std::string& cell = row.cells[column];
    if (says_nothing(cell)) continue;
    if (!reads_as_number(cell) || cell.size() > kLongestNumber) return false;
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

MarkLook look_of(RowMark mark) {
  switch (mark) {
    case RowMark::best:
      return {.sign = "★", .meaning = "best"};
    case RowMark::doubtful:
      return {.sign = "○", .meaning = "doubtful"};
    case RowMark::failed:
      return {.sign = "✕", .meaning = "failed"};
    case RowMark::total:
    case RowMark::none:
      break;
  }
  return {};
}

void Table::add_row(std::vector<std::string> cells, RowMark mark) {
  CONVOY_CHECK_EQ(cells.size(), header.size());
  rows.push_back({.cells = std::move(cells), .mark = mark});
}

namespace {

Table with_columns(const Table& table, const std::function<bool(std::size_t)>& is_shown) {
  Table shown{.id = table.id, .caption = table.caption, .header = {}, .rows = {}};
  for (const Row& row : table.rows) shown.rows.push_back({.cells = {}, .mark = row.mark});
  for (std::size_t column = 0; column < table.header.size(); ++column) {
    if (!is_shown(column)) continue;
    shown.header.push_back(table.header[column]);
    for (std::size_t i = 0; i < table.rows.size(); ++i) shown.rows[i].cells.push_back(table.rows[i].cells[column]);
  }
  return shown;
}

// The first column is always shown, as it names the rows; a table without rows shows all its columns.
bool is_empty_column(const Table& table, std::size_t column) {
  const auto is_silent = [&](const Row& row) { return says_nothing(row.cells[column]); };
  return column > 0 && !table.rows.empty() && std::ranges::all_of(table.rows, is_silent);
}

}  // namespace

Table without_empty_columns(const Table& table) {
  return with_columns(table, [&](std::size_t column) { return !is_empty_column(table, column); });
}

ShownTable shown_table(const Table& table) {
  const Table whole = without_empty_columns(table);
  if (whole.header.size() <= kMostColumns || table.details.empty()) return {.main = whole, .details = std::nullopt};
  const auto is_detail = [&](const std::string& title) {
    return std::ranges::find(table.details, title) != table.details.end();
  };
  const auto keys = std::span(table.header).first(table.keys);
  const auto is_key = [&](const std::string& title) { return std::ranges::find(keys, title) != keys.end(); };
  ShownTable shown{.main = with_columns(whole, [&](std::size_t i) { return !is_detail(whole.header[i]); }),
                   .details = with_columns(
                       whole, [&](std::size_t i) { return is_key(whole.header[i]) || is_detail(whole.header[i]); })};
  if (std::ranges::none_of(whole.header, is_detail)) shown.details.reset();
  return shown;
}

std::vector<bool> number_columns(const Table& table) {
  std::vector<bool> columns;
  for (std::size_t i = 0; i < table.header.size(); ++i) columns.push_back(is_number_column(table, i));
  return columns;
}

std::string key_of_marks(const Table& table, std::size_t rows) {
  std::string key;
  for (const RowMark mark : {RowMark::best, RowMark::doubtful, RowMark::failed}) {
    const auto shown = std::span(table.rows).first(std::min(rows, table.rows.size()));
    if (std::ranges::find(shown, mark, &Row::mark) == shown.end()) continue;
    const MarkLook look = look_of(mark);
    key += fmt::format("{}{} {}", key.empty() ? "" : ", ", look.sign, look.meaning);
  }
  return key;
}

std::string to_csv(const Table& table) {
  std::string csv;
  append_line(csv, table.header);
  for (const Row& row : table.rows) append_line(csv, row.cells);
  return csv;
}

}  // namespace convoy::report
