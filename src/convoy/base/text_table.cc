#include "convoy/base/text_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/utf8.h"

namespace convoy {

namespace {

constexpr std::string_view kGap = "  ";

bool says_nothing(std::string_view cell) { return cell.empty() || cell == "-"; }

void append_cell(std::string& line, std::string_view cell, std::size_t width, bool to_the_right) {
  const std::string blanks(width - character_count(cell), ' ');
  line += to_the_right ? blanks : "";
  line += cell;
  line += to_the_right ? "" : blanks;
}

void end_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line;
  text += '\n';
}

struct TableColumn {
  std::size_t width = 0;
  bool to_the_right = false;
};

TableColumn measure(std::size_t index, const std::string& title, const std::vector<std::vector<std::string>>& rows) {
  TableColumn column{.width = character_count(title)};
  bool all_numbers = true;
  for (const auto& row : rows) {
    if (row.empty()) {
      continue;
    }
    const std::string& cell = row[index];
    column.width = std::max(column.width, character_count(cell));
    all_numbers = all_numbers && (reads_as_number(cell) || says_nothing(cell));
    column.to_the_right = column.to_the_right || reads_as_number(cell);
  }
  column.to_the_right = column.to_the_right && all_numbers;
  return column;
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<TableColumn>& columns) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i == 0 ? "" : kGap;
    append_cell(line, cells[i], columns[i].width, columns[i].to_the_right);
  }
  return line;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) : header_(std::move(header)) {
  CONVOY_CHECK(!header_.empty());
  for (std::string& title : header_) title = printable_text(title);
}

void TextTable::add_row(std::vector<std::string> cells) {
  CONVOY_CHECK_EQ(cells.size(), header_.size());
  for (std::string& cell : cells) cell = printable_text(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::add_rule() { rows_.emplace_back(); }

std::string TextTable::to_string() const {
  std::vector<TableColumn> columns;
  std::size_t total = kGap.size() * (header_.size() - 1);
  for (std::size_t i = 0; i < header_.size(); ++i) {
    columns.push_back(measure(i, header_[i], rows_));
    total += columns.back().width;
  }
  const std::string rule(total, '-');
  std::string text;
  end_line(text, line_of(header_, columns));
  end_line(text, rule);
  for (const auto& row : rows_) {
    end_line(text, row.empty() ? rule : line_of(row, columns));
  }
  return text;
}

}  // namespace convoy
