#include "convoy/study/log/csv_table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/csv_cell.h"
#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/base/printable_text.h"

namespace convoy::study {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Takes the first cell off `rest`, which begins with a quote. No value when the quote is not closed or something
// follows it.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string cell;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      cell += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      cell += rest[i++];
    } else {
      rest = trimmed(rest.substr(i + 1));
      return rest.empty() || rest.front() == ',' ? std::optional(cell) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  std::string_view rest = line;
  while (true) {
    rest = trimmed(rest);
    if (rest.starts_with('"')) {
      auto cell = take_quoted(rest);
      if (!cell) return std::nullopt;
      cells.push_back(std::move(*cell));
    } else {
      const std::size_t end = std::min(rest.find(','), rest.size());
      cells.emplace_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    if (rest.empty()) return cells;
    rest.remove_prefix(1);  // the comma
  }
}

void restore_texts(std::vector<std::string>& cells) {
  for (std::string& cell : cells) cell = std::string(text_of_csv_cell(cell));
}

}  // namespace

CsvTable::CsvTable(std::string_view text, std::string name) : name_(std::move(name)) {
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.empty() || content.front() == '#') continue;
    auto cells = cells_of(content);
    if (cells) restore_texts(*cells);
    if (!cells) throw DataError("{}:{}: a quote does not end where its cell ends", name_, line);
    if (columns_.empty()) {
      columns_ = std::move(*cells);
    } else if (cells->size() == columns_.size()) {
      rows_.push_back({line, std::move(*cells)});
    } else {
      throw DataError("{}:{}: {} cells under {} columns", name_, line, cells->size(), columns_.size());
    }
  }
  if (columns_.empty()) throw DataError("{}: no row of column names", name_);
  if (std::set(columns_.begin(), columns_.end()).size() != columns_.size()) {
    throw DataError("{}: a column's name is there twice", name_);
  }
}

std::optional<std::size_t> CsvTable::find(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  return found == columns_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - columns_.begin()));
}

void CsvTable::require_known(std::span<const std::string> known) const {
  for (const std::string& column : columns_) {
    if (std::ranges::find(known, column) != known.end()) continue;
    const auto nearest = nearest_name(column, known);
    throw DataError("{}: the column '{}' is not known{}", name_, quoted_text(column),
                    nearest ? "; did you mean '" + *nearest + "'?" : "");
  }
}

const std::string& CsvTable::text(std::size_t row, std::string_view column) const {
  static const std::string kNone;
  CONVOY_CHECK_LT(row, rows_.size());
  const auto at = find(column);
  return at ? rows_[row].cells[*at] : kNone;
}

std::optional<double> CsvTable::number(std::size_t row, std::string_view column) const {
  const std::string& cell = text(row, column);
  if (cell.empty() || cell == "NA") return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (end != cell.c_str() + cell.size() || !std::isfinite(value)) {
    throw DataError("{}: '{}' in column '{}' is not a number", place(row), quoted_text(cell), column);
  }
  return value;
}

std::string CsvTable::place(std::size_t row) const {
  CONVOY_CHECK_LT(row, rows_.size());
  return fmt::format("{}:{}", name_, rows_[row].line);
}

}  // namespace convoy::study
