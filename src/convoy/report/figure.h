// A chart with what a reader needs to trust it: a title, the definition of its numbers, and the numbers themselves.
#pragma once

#include <string>
#include <variant>

#include "convoy/report/chart/bar_chart.h"
#include "convoy/report/chart/heat_map.h"
#include "convoy/report/chart/line_chart.h"
#include "convoy/report/chart/rank_chart.h"
#include "convoy/report/table.h"

namespace convoy::report {

using Chart = std::variant<LineChart, BarChart, RankChart, StackedBarChart, HeatMap>;

struct Figure {
  std::string id;  // names its files; a-z, 0-9, '-' and '_', unique in a document
  std::string title;
  std::string definition;  // what the numbers mean and how they were computed; `...` is code
  Chart chart;
  Table data;  // without rows: no numbers are offered
};

// An <svg> element for a page that includes chart_style(). It scales with its box.
[[nodiscard]] std::string to_inline_svg(const Figure& figure);

// The text of a separate file, with title, definition and style; light or dark depending on the viewer.
[[nodiscard]] std::string to_svg_file(const Figure& figure);

// The numbers of a chart, one per row, with six significant digits. Dashed lines are left out: they are computed, and
// the text says from what.
[[nodiscard]] Table chart_data(const Chart& chart);

// Makes a figure together with the table of its numbers.
[[nodiscard]] Figure make_figure(std::string id, std::string title, std::string definition, Chart chart);

}  // namespace convoy::report
