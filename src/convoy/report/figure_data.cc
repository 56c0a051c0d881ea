#include "convoy/report/figure_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace convoy::report {
namespace {

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "-"; }
std::string cell(const std::optional<double>& value) { return value ? cell(*value) : "-"; }

// A value with what may come with it. Columns that no row needs are left out.
struct DataRow {
  std::vector<std::string> names;
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
  bool hollow = false;
};

Table table_of(std::vector<std::string> header, const std::vector<DataRow>& rows) {
  const bool has_interval = std::ranges::any_of(rows, [](const DataRow& row) { return row.low.has_value(); });
  const bool has_hollow = std::ranges::any_of(rows, &DataRow::hollow);
  Table table{.id = {}, .caption = {}, .header = std::move(header), .rows = {}};
  if (has_interval) table.header.insert(table.header.end(), {"interval from", "interval to"});
  if (has_hollow) table.header.emplace_back("doubtful");
  for (const DataRow& row : rows) {
    std::vector<std::string> cells = row.names;
    cells.push_back(cell(row.value));
    if (has_interval) cells.insert(cells.end(), {cell(row.low), cell(row.high)});
    if (has_hollow) cells.emplace_back(row.hollow ? "yes" : "");
    table.add_row(std::move(cells), row.hollow ? RowMark::doubtful : RowMark::none);
  }
  return table;
}

std::string x_cell(const Axis& axis, double x) {
  const auto place = static_cast<std::size_t>(std::max(x, 0.0));
  const bool named = axis.scale == AxisScale::categorical && place < axis.categories.size();
  return named ? axis.categories[place] : cell(x);
}

Table data_of(const LineChart& chart) {
  std::vector<DataRow> rows;
  for (const Series& series : chart.series) {
    if (series.dashed) continue;
    for (const Point& point : series.points) {
      rows.push_back({{series.name, x_cell(chart.x, point.x)}, point.y, point.low, point.high, point.hollow});
    }
  }
  return table_of({"series", chart.x.title, chart.y.title}, rows);
}

Table data_of(const BarChart& chart) {
  std::vector<DataRow> rows;
  for (const BarSeries& series : chart.series) {
    for (std::size_t i = 0; i < std::min(series.bars.size(), chart.groups.size()); ++i) {
      const Bar& bar = series.bars[i];
      if (std::isnan(bar.value)) continue;
      rows.push_back({{chart.groups[i], series.name}, bar.value, bar.low, bar.high, bar.hollow});
    }
  }
  return table_of({chart.group_title, "series", chart.value_title}, rows);
}

Table data_of(const RankChart& chart) {
  std::vector<DataRow> rows;
  for (const auto& [name, bar] : chart.bars) rows.push_back({{name}, bar.value, bar.low, bar.high, bar.hollow});
  return table_of({"settings", chart.value_title}, rows);
}

Table data_of(const StackedBarChart& chart) {
  Table table{.id = {}, .caption = {}, .header = {chart.stack_title}, .rows = {}};
  table.header.insert(table.header.end(), chart.parts.begin(), chart.parts.end());
  for (const Stack& stack : chart.stacks) {
    std::vector<std::string> cells = {stack.name};
    for (const double amount : stack.amounts) cells.push_back(cell(amount));
    table.add_row(std::move(cells));
  }
  return table;
}

Table data_of(const HeatMap& map) {
  std::vector<DataRow> rows;
  for (std::size_t row = 0; row < map.values.size(); ++row) {
    for (std::size_t column = 0; column < map.values[row].size(); ++column) {
      rows.push_back({{map.rows[row], map.columns[column]}, map.values[row][column], {}, {}, false});
    }
  }
  return table_of({map.row_title, map.column_title, map.value_title}, rows);
}

}  // namespace

Table chart_data(const Chart& chart) {
  return std::visit([](const auto& each) { return data_of(each); }, chart);
}

Figure make_figure(std::string id, std::string title, std::string definition, Chart chart) {
  Table data = chart_data(chart);
  return {.id = std::move(id),
          .title = std::move(title),
          .definition = std::move(definition),
          .chart = std::move(chart),
          .data = std::move(data)};
}

}  // namespace convoy::report
