#include "convoy/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "convoy/report/chart/chart_style.h"
#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"
#include "convoy/report/chart/xml.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

// Describes a chart for people who cannot see it.
std::string kind_of(const LineChart& chart) {
  return fmt::format("Line chart of {} over {}, {} lines.", chart.y.title, chart.x.title, chart.series.size());
}

std::string kind_of(const BarChart& chart) {
  return fmt::format("Bar chart of {} by {}, {} groups of {} bars.", chart.value_title, chart.group_title,
                     chart.groups.size(), chart.series.size());
}

std::string kind_of(const RankChart& chart) {
  return fmt::format("{} by {}, the best first.", chart.bars.size() == 1 ? "One bar" : "Ranked bars",
                     chart.value_title);
}

std::string kind_of(const StackedBarChart& chart) {
  return fmt::format("Stacked bars of {} by {}, {} parts.", chart.share_title, chart.stack_title, chart.parts.size());
}

std::string kind_of(const HeatMap& map) {
  return fmt::format("Heat map of {} by {} and {}.", map.value_title, map.row_title, map.column_title);
}

std::string element_id(const Figure& figure) { return "Chart-" + figure.id; }

Picture picture_of(const Figure& figure) {
  return std::visit([&](const auto& chart) { return draw(chart, element_id(figure)); }, figure.chart);
}

// The opening tag with the size, and a description for screen readers.
std::string opening(const Figure& figure, double width, double height, std::string_view more) {
  const std::string kind = std::visit([](const auto& chart) { return kind_of(chart); }, figure.chart);
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\"{} role=\"img\" aria-labelledby=\"{}-title {}-desc\">\n"
      "<title id=\"{}-title\">{}</title>\n<desc id=\"{}-desc\">{}</desc>\n",
      px(width), px(height), more, element_id(figure), element_id(figure), element_id(figure), escape_xml(figure.title),
      element_id(figure), escape_xml(kind));
}

}  // namespace

std::string to_inline_svg(const Figure& figure) {
  const Picture picture = picture_of(figure);
  return opening(figure, picture.width, picture.height, "") + picture.elements + "</svg>\n";
}

std::string to_svg_file(const Figure& figure) {
  constexpr double kPadding = 18;
  constexpr double kTitleHeight = 34;
  constexpr double kLineHeight = 18;
  const Picture picture = picture_of(figure);
  std::string body = svg_text(kPadding, kPadding + 16, shortened(figure.title, picture.width * 0.8),
                              {.classes = "title", .full_text = figure.title});
  double y = kPadding + kTitleHeight;
  body += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", px(kPadding), px(y), picture.elements);
  y += picture.height + 4;
  for (const std::string& line : wrapped(without_code_marks(figure.definition), picture.width)) {
    y += kLineHeight;
    body += svg_text(kPadding, y, line, {.classes = "axis-title"});
  }
  const double width = picture.width + 2 * kPadding;
  const double height = y + kPadding;
  const std::string size =
      fmt::format(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\"", px(width), px(height));
  return opening(figure, width, height, size) + fmt::format("<style>{}</style>\n", standalone_chart_style()) +
         svg_rect({.width = width, .height = height}, "background") + body + "</svg>\n";
}

namespace {

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "-"; }
std::string cell(const std::optional<double>& value) { return value ? cell(*value) : "-"; }

// A value with optional further cells. Columns that no row needs are left out.
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
  for (const RankedBar& ranked : chart.bars) {
    const Bar& bar = ranked.bar;
    rows.push_back({{ranked.name}, bar.value, bar.low, bar.high, bar.hollow});
  }
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
