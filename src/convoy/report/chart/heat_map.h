// A grid of values, coloured and written out: accuracy over learning rate and batch size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {

struct HeatMap {
  std::string row_title;
  std::string column_title;
  std::string value_title;  // with the unit
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // values[row][column]; NaN and what is not there are missing
  Better better = Better::higher;           // the best cell is marked
  bool logarithmic = false;                 // colours by the logarithm, where values span decades
};

[[nodiscard]] Picture draw(const HeatMap& map, std::string_view id);

}  // namespace convoy::report
