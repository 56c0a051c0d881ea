// Plain-text tables for terminals and log files: aligned columns, numbers to the right, a rule under the header.
//
//   TextTable table({"layer", "output", "parameters"});
//   table.add_row({"conv1", "64x112x112", "9,408"});
//   fmt::print("{}", table.to_string());
#pragma once

#include <string>
#include <vector>

namespace convoy {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);

  // A row has as many cells as the header. Cells are made printable (printable_text.h), since they may hold text from
  // outside.
  void add_row(std::vector<std::string> cells);

  // Draws a line across the table before the next row, for totals.
  void add_rule();

  // A column whose cells are all numbers (apart from empty ones and "-") is aligned to the right. Lines end in '\n' and
  // have no trailing blanks.
  [[nodiscard]] std::string to_string() const;

 private:
  // A row without cells stands for a line across the table.
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> header_;
};

}  // namespace convoy
