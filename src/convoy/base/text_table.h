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

  // A row has as many cells as the header. Cells of any origin are made printable (printable_text.h).
  void add_row(std::vector<std::string> cells);

  // A rule across the table before the next row, for totals.
  void add_rule();

  // A column whose cells are all numbers (empty ones and "-" aside) is aligned to the right. Lines end in '\n' and
  // carry no trailing blanks.
  [[nodiscard]] std::string to_string() const;

 private:
  // A rule is a row without cells.
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> header_;
};

}  // namespace convoy
