#include "convoy/report/render/renderers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "convoy/base/printable_text.h"
#include "convoy/base/text_table.h"
#include "convoy/base/utf8.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

// Wraps words into lines of at most kPlainTextColumns; lines after the first are indented.
std::string wrapped(std::string_view text, std::size_t indent = 0) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t width = character_count(word);
    if (column > 0 && column + 1 + width > kPlainTextColumns) {
      result += '\n';
      result.append(indent, ' ');
      column = indent;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
  }
  return result + "\n";
}

std::string aligned(const Table& table) {
  const bool marked =
      std::ranges::any_of(table.rows, [](const Row& row) { return !look_of(row.mark).meaning.empty(); });
  std::vector<std::string> header = table.header;
  if (marked) header.emplace_back("");
  TextTable text(header);
  for (const Row& row : table.rows) {
    if (row.mark == RowMark::total) text.add_rule();
    std::vector<std::string> cells = row.cells;
    // Messages of failed runs may have several lines.
    for (std::string& cell : cells) std::ranges::replace(cell, '\n', ' ');
    if (marked) cells.emplace_back(look_of(row.mark).meaning);
    text.add_row(std::move(cells));
  }
  return text.to_string();
}

bool is_wide(const std::string& text) {
  const std::size_t first_line = text.find('\n', text.find('\n') + 1);
  return first_line - text.find('\n') - 1 > kPlainTextColumns;  // measures the rule under the header
}

// Replaces columns in which all rows agree by one line of text.
std::string without_constant_columns(const Table& table) {
  Table narrow{.id = table.id, .caption = table.caption, .header = {}, .rows = {}};
  std::vector<std::string> constant;
  for (const Row& row : table.rows) narrow.rows.push_back({{}, row.mark});
  for (std::size_t column = 0; column < table.header.size(); ++column) {
    const std::string& first = table.rows.front().cells[column];
    if (std::ranges::all_of(table.rows, [&](const Row& row) { return row.cells[column] == first; })) {
      if (!first.empty() && first != "-") constant.push_back(fmt::format("{} {}", table.header[column], first));
      continue;
    }
    narrow.header.push_back(table.header[column]);
    for (std::size_t i = 0; i < table.rows.size(); ++i) narrow.rows[i].cells.push_back(table.rows[i].cells[column]);
  }
  if (narrow.header.empty()) return aligned(table);
  if (constant.empty()) return aligned(narrow);
  return aligned(narrow) + wrapped(fmt::format("The same in all rows: {}.", fmt::join(constant, ", ")));
}

struct Writer {
  std::string operator()(const Paragraph& block) const { return wrapped(without_code_marks(block.text)); }
  std::string operator()(const Listing& block) const {
    std::string text = block.caption.empty() ? "" : wrapped(block.caption + ":");
    text += "  ";
    for (const char c : block.text) text += c == '\n' ? "\n  " : std::string(1, c);
    return text + "\n";
  }
  std::string operator()(const Notice& block) const {
    const char* const kind = block.kind == Notice::Kind::warning ? "WARNING" : "Note";
    return wrapped(fmt::format("{}: {}: {}", kind, block.title, without_code_marks(block.text)), 2);
  }
  std::string operator()(const Definitions& block) const {
    std::string text;
    for (const Definitions::Entry& entry : block.entries) {
      text += wrapped(fmt::format("{}: {}", entry.term, without_code_marks(entry.text)), 2);
    }
    return text;
  }
  std::string operator()(const Highlights& block) const {
    std::string text;
    std::size_t widest = 0;
    for (const Highlights::Entry& entry : block.entries) widest = std::max(widest, character_count(entry.label));
    for (const Highlights::Entry& entry : block.entries) {
      const std::string detail = entry.detail.empty() ? "" : fmt::format("  ({})", entry.detail);
      const std::string blanks(widest - character_count(entry.label), ' ');
      text += fmt::format("{}{}  {}{}\n", entry.label, blanks, entry.value, detail);
    }
    return text;
  }
  std::string operator()(const Table& whole) const {
    if (whole.rows.empty()) return "";
    const Table block = without_empty_columns(whole);
    std::string text = aligned(block);
    if (is_wide(text) && block.rows.size() > 1) text = without_constant_columns(block);
    return (block.caption.empty() ? "" : wrapped(block.caption + ":")) + text;
  }
  std::string operator()(const Figure& /*block*/) const { return ""; }
};

}  // namespace

std::string to_plain_text(const Section& section) {
  std::string text = section.title + "\n";
  for (const Block& block : section.blocks) {
    const std::string part = std::visit(Writer{}, block);
    if (!part.empty()) text += "\n" + part;
  }
  return printable_lines(text);
}

}  // namespace convoy::report
