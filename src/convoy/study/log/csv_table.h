// Text in comma-separated columns under a row of names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::study {

class CsvTable {
 public:
  // Cells may be in double quotes, with "" for a quote. Blanks around a cell, empty lines and lines that begin with #
  // are ignored. Cells that Convoy has written are read unchanged (csv_cell.h). `name` is for messages. Throws
  // DataError with name and line when there is no row of names, a name appears twice, or a row has another number of
  // cells.
  CsvTable(std::string_view text, std::string name);

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] bool has_column(std::string_view column) const { return find(column).has_value(); }

  // Throws DataError for a column that is not among `known`, suggesting the nearest name.
  void require_known(std::span<const std::string> known) const;

  // The cell, or an empty text if there is no such column.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;

  // The cell as a number; no value if it is empty or NA, or there is no such column. Throws DataError with name and
  // line if it is not a finite number.
  [[nodiscard]] std::optional<double> number(std::size_t row, std::string_view column) const;

  // "name:line", for messages about a row.
  [[nodiscard]] std::string place(std::size_t row) const;

 private:
  struct Row {
    std::size_t line;
    std::vector<std::string> cells;
  };

  [[nodiscard]] std::optional<std::size_t> find(std::string_view column) const;

  std::string name_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace convoy::study
