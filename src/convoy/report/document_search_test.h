// Finds parts of a document for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/render/document_files.h"
#include "convoy/report/render/renderers.h"

namespace convoy::report {

inline std::vector<std::string> section_ids(const Document& document) {
  std::vector<std::string> ids;
  for (const Section& section : document.sections) ids.push_back(section.id);
  return ids;
}

inline bool has_section(const Document& document, const std::string& id) {
  return std::ranges::find(document.sections, id, &Section::id) != document.sections.end();
}

// These throw std::out_of_range if the part does not exist.
inline const Section& section_of(const Document& document, const std::string& id) {
  const auto found = std::ranges::find(document.sections, id, &Section::id);
  if (found == document.sections.end()) throw std::out_of_range("no section " + id);
  return *found;
}

template <typename Kind>
const Kind& named_block(const Document& document, const std::string& id) {
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      const Kind* const kind = std::get_if<Kind>(&block);
      if (kind != nullptr && kind->id == id) return *kind;
    }
  }
  throw std::out_of_range("no table or figure " + id);
}

inline const Table& table_of(const Document& document, const std::string& id) {
  return named_block<Table>(document, id);
}
inline const Figure& figure_of(const Document& document, const std::string& id) {
  return named_block<Figure>(document, id);
}
template <typename Kind>
const Kind& chart_of(const Document& document, const std::string& id) {
  return std::get<Kind>(figure_of(document, id).chart);
}

// The first row that begins with these cells.
inline const Row& row_of(const Table& table, const std::vector<std::string>& first_cells) {
  for (const Row& row : table.rows) {
    if (std::ranges::mismatch(first_cells, row.cells).in1 == first_cells.end()) return row;
  }
  throw std::out_of_range("no row that begins with " + first_cells.front());
}

inline std::string cell_of(const Table& table, const std::vector<std::string>& first_cells, const std::string& column) {
  const auto place = std::ranges::find(table.header, column);
  if (place == table.header.end()) throw std::out_of_range("no column " + column);
  return row_of(table, first_cells).cells[static_cast<std::size_t>(place - table.header.begin())];
}

inline const Series& line_of(const LineChart& chart, const std::string& name) {
  const auto found = std::ranges::find(chart.series, name, &Series::name);
  if (found == chart.series.end()) throw std::out_of_range("no line " + name);
  return *found;
}

// All text of a section, except tables and figures.
inline std::string words_of(const Section& section) {
  std::string text;
  for (const Block& block : section.blocks) {
    if (const auto* const paragraph = std::get_if<Paragraph>(&block)) text += paragraph->text + "\n";
    if (const auto* const listing = std::get_if<Listing>(&block)) text += listing->text + "\n";
    if (const auto* const notice = std::get_if<Notice>(&block)) text += notice->title + ": " + notice->text + "\n";
    if (const auto* const highlights = std::get_if<Highlights>(&block)) {
      for (const auto& entry : highlights->entries) {
        text += entry.label + " = " + entry.value + " (" + entry.detail + ")\n";
      }
    }
    if (const auto* const definitions = std::get_if<Definitions>(&block)) {
      for (const auto& entry : definitions->entries) text += entry.term + ": " + entry.text + "\n";
    }
  }
  return text;
}

inline bool is_empty(const LineChart& chart) {
  return std::ranges::all_of(chart.series, [](const Series& series) { return series.dashed || series.points.empty(); });
}
inline bool is_empty(const BarChart& chart) { return chart.series.empty(); }
inline bool is_empty(const RankChart& chart) { return chart.bars.empty(); }
inline bool is_empty(const StackedBarChart& chart) { return chart.stacks.empty(); }
inline bool is_empty(const HeatMap& map) { return map.values.empty(); }

// Checks what holds for every document: renderers accept it, and every figure has contents, a definition and numbers.
inline void expect_sound(const Document& document) {
  EXPECT_NO_THROW(check_document(document));
  for (const Section& section : document.sections) {
    EXPECT_FALSE(section.blocks.empty()) << section.id;
    for (const Block& block : section.blocks) {
      if (const auto* const table = std::get_if<Table>(&block)) {
        // Readers of the CSV file identify columns by their names.
        EXPECT_EQ(std::set(table->header.begin(), table->header.end()).size(), table->header.size()) << table->id;
        EXPECT_FALSE(table->rows.empty()) << table->id;
      }
      const auto* const figure = std::get_if<Figure>(&block);
      if (figure == nullptr) continue;
      EXPECT_FALSE(figure->definition.empty()) << figure->id;
      EXPECT_FALSE(figure->data.rows.empty()) << figure->id;
      EXPECT_FALSE(std::visit([](const auto& chart) { return is_empty(chart); }, figure->chart)) << figure->id;
    }
  }
  EXPECT_FALSE(to_html(document).empty());
  EXPECT_FALSE(to_markdown(document).empty());
  EXPECT_FALSE(to_csv_files(document).empty());
  EXPECT_NO_THROW((void)to_svg_files(document));
  for (const Section& section : document.sections) EXPECT_FALSE(to_plain_text(section).empty());
}

}  // namespace convoy::report
