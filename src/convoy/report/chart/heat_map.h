// A grid of values, coloured and written out, for example accuracy by learning rate and batch size.
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
  std::string value_title;  // including the unit
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // values[row][column]; NaN or absent if missing
  Better better = Better::higher;           // decides which cell is marked as the best
  bool logarithmic = false;                 // colours follow the logarithm, for values that span decades
};

[[nodiscard]] Picture draw(const HeatMap& map, std::string_view id);

}  // namespace convoy::report
