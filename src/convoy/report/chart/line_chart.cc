#include "convoy/report/chart/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "convoy/base/check.h"
#include "convoy/report/chart/chart_style.h"
#include "convoy/report/chart/number_label.h"
#include "convoy/report/chart/plot.h"
#include "convoy/report/chart/stretches.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {
namespace {

// With this many points they are too close for a mark and an interval each.
constexpr std::size_t kDense = 60;
constexpr std::size_t kMostPoints = 400;

struct Line {
  const Series* series = nullptr;
  std::size_t number = 0;  // its number among the measured series; decides its colour and mark
  std::string line_class;
  std::vector<Stretch> stretches;
  bool dense = false;
};

std::size_t points_in(const std::vector<Stretch>& stretches) {
  std::size_t count = 0;
  for (const Stretch& stretch : stretches) count += stretch.size();
  return count;
}

// Each stretch keeps its share of the points that a series may have.
void thin_out(std::vector<Stretch>& stretches) {
  const std::size_t total = points_in(stretches);
  if (total <= kMostPoints) return;
  if (stretches.size() > kMostPoints / 2) {
    // With so many gaps, each is too narrow to be seen.
    for (std::size_t i = 1; i < stretches.size(); ++i)
      std::ranges::copy(stretches[i], std::back_inserter(stretches[0]));
    stretches.resize(1);
  }
  for (Stretch& stretch : stretches) {
    stretch = thinned(stretch, std::max<std::size_t>(2, stretch.size() * kMostPoints / total));
  }
}

// The number of each series, by its index: measured series are numbered in order.
std::vector<std::size_t> numbers_of(const std::vector<Series>& series) {
  std::vector<std::size_t> numbers;
  std::size_t measured = 0;
  for (const Series& one : series) {
    CONVOY_CHECK(!one.paired_with || *one.paired_with < numbers.size());
    numbers.push_back(one.paired_with ? numbers[*one.paired_with] : one.dashed ? measured : measured++);
  }
  return numbers;
}

std::vector<Line> lines_of(const LineChart& chart, Omitted& omitted) {
  const std::vector<std::size_t> numbers = numbers_of(chart.series);
  std::vector<Line> lines;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    Line line{.series = &series, .number = numbers[i], .line_class = line_class(numbers[i])};
    if (series.dashed) {
      CONVOY_CHECK(!series.fit_of || *series.fit_of < numbers.size());
      line.line_class = series.fit_of ? line_class(numbers[*series.fit_of]) : "neutral";
    }
    line.stretches = stretches_of(series, chart.x, chart.y, omitted);
    line.dense = points_in(line.stretches) > kDense;
    thin_out(line.stretches);
    lines.push_back(std::move(line));
  }
  return lines;
}

struct Extents {
  Extent x;
  Extent y;
  bool whole_x = true;
};

Extents extents_of(const std::vector<Line>& lines, AxisScale y_scale, Omitted& omitted) {
  Extents extents;
  std::vector<double> ends;
  for (const Line& line : lines) {
    for (const Stretch& stretch : line.stretches) {
      for (const Point& point : stretch) {
        extents.x.include(point.x);
        extents.whole_x = extents.whole_x && std::floor(point.x) == point.x;
        if (is_drawable(point.y, y_scale)) extents.y.include(point.y);
        ends.insert(ends.end(), {point.low.value_or(point.y), point.high.value_or(point.y)});
      }
    }
  }
  include_ends(extents.y, ends, y_scale, omitted);
  return extents;
}

bool any_hollow(const LineChart& chart) {
  return std::ranges::any_of(chart.series, [](const Series& series) {
    return !series.dashed && std::ranges::any_of(series.points, &Point::hollow);
  });
}

std::vector<LegendEntry> legend_of(const LineChart& chart, const std::vector<Line>& lines) {
  std::vector<LegendEntry> entries;
  for (const Line& line : lines) {
    // A single line without a name needs no legend.
    if (line.series->name.empty()) continue;
    const bool is_broken = line.series->dashed || line.series->paired_with;
    entries.push_back(is_broken ? dashed_entry(line.line_class, line.series->name)
                                : line_entry(line.number, line.series->name));
  }
  if (!chart.hollow_means.empty() && any_hollow(chart)) entries.push_back(hollow_mark_entry(chart.hollow_means));
  return entries;
}

std::string path_through(const Stretch& stretch, const Plot& plot) {
  std::string path;
  for (const Point& point : stretch) {
    path += fmt::format("{}{} {}", path.empty() ? 'M' : 'L', px(plot.x(point.x)), px(plot.y(point.y)));
  }
  return path;
}

std::string draw_lines(const Line& line, const Plot& plot) {
  std::string elements;
  const bool is_broken = line.series->dashed || line.series->paired_with;
  const char* const classes = is_broken ? "line dashed" : line.dense ? "line thin" : "line";
  for (const Stretch& stretch : line.stretches) {
    if (stretch.size() < 2) continue;
    elements +=
        fmt::format("<path d=\"{}\" class=\"{} {}\"/>\n", path_through(stretch, plot), classes, line.line_class);
  }
  return elements;
}

// Draws the intervals of many points as one area.
std::string draw_band(const Line& line, const Plot& plot) {
  std::string elements;
  for (const Stretch& stretch : line.stretches) {
    std::string forth;
    std::string back;
    for (const Point& point : stretch) {
      const std::string x = px(plot.x(point.x));
      forth += fmt::format("{}{} {}", forth.empty() ? 'M' : 'L', x, px(plot.y(point.high.value_or(point.y))));
      back.insert(0, fmt::format("L{} {}", x, px(plot.y(point.low.value_or(point.y)))));
    }
    const bool any = std::ranges::any_of(stretch, [](const Point& point) { return point.low || point.high; });
    if (!any || stretch.size() < 2) continue;
    elements += fmt::format("<path d=\"{}{}Z\" class=\"band {}\"/>\n", forth, back, fill_class(line.number));
  }
  return elements;
}

std::string draw_whiskers(const Line& line, const Plot& plot) {
  std::string elements;
  for (const Stretch& stretch : line.stretches) {
    for (const Point& point : stretch) {
      if (!point.low && !point.high) continue;
      const double x = plot.x(point.x);
      elements +=
          svg_whisker(x, plot.y(point.low.value_or(point.y)), x, plot.y(point.high.value_or(point.y)), line.line_class);
    }
  }
  return elements;
}

std::string x_text(double x, const Axis& axis) {
  return axis.scale == AxisScale::categorical ? axis.categories[static_cast<std::size_t>(x)] : number_label(x);
}

std::string tip_of(const Series& series, const Point& point, const LineChart& chart) {
  std::string tip = series.name.empty() ? "" : series.name + ": ";
  tip += fmt::format("{} at {}", number_label(point.y), x_text(point.x, chart.x));
  if (point.low && point.high) tip += fmt::format(" ({} to {})", number_label(*point.low), number_label(*point.high));
  if (point.hollow && !chart.hollow_means.empty()) tip += ", " + chart.hollow_means;
  return tip;
}

std::string draw_all_marks(const Line& line, const LineChart& chart, const Plot& plot) {
  std::string elements;
  for (const Stretch& stretch : line.stretches) {
    for (const Point& point : stretch) {
      elements += svg_path_at(plot.x(point.x), plot.y(point.y), mark_path(line.number),
                              mark_classes(line.number, point.hollow), tip_of(*line.series, point, chart));
    }
  }
  return elements;
}

// A few marks along a dense line, so that it can be distinguished without colour, and all isolated points.
std::string draw_some_marks(const Line& line, const Plot& plot) {
  constexpr std::size_t kMarks = 7;
  const std::size_t stride = std::max<std::size_t>(1, points_in(line.stretches) / kMarks);
  // Lines that coincide have their marks at different places.
  std::size_t place = stride / 2 + line.number * stride / 4;
  std::string elements;
  for (const Stretch& stretch : line.stretches) {
    for (const Point& point : stretch) {
      if (place++ % stride != 0 && stretch.size() > 1) continue;
      elements += svg_path_at(plot.x(point.x), plot.y(point.y), mark_path(line.number),
                              mark_classes(line.number, point.hollow));
    }
  }
  return elements;
}

std::string draw_marks(const std::vector<Line>& lines, const LineChart& chart, const Plot& plot) {
  std::string behind;
  std::string middle;
  std::string front;
  for (const Line& line : lines) {
    if (line.series->dashed) {
      behind += draw_lines(line, plot);
      continue;
    }
    behind += line.dense ? draw_band(line, plot) : "";
    middle += (line.dense ? "" : draw_whiskers(line, plot)) + draw_lines(line, plot);
    front += line.dense ? draw_some_marks(line, plot) : draw_all_marks(line, chart, plot);
  }
  return behind + middle + front;
}

}  // namespace

Picture draw(const LineChart& chart, std::string_view /*id*/) {
  Omitted omitted;
  const std::vector<Line> lines = lines_of(chart, omitted);
  const Extents extents = extents_of(lines, chart.y.scale, omitted);
  if (extents.x.empty()) return no_data(omitted.notes());
  const bool named = chart.x.scale == AxisScale::categorical;
  const Plot plot({.x_title = chart.x.title,
                   .y_title = chart.y.title,
                   .x = plan_axis(chart.x, {.values = extents.x, .whole_numbers = extents.whole_x, .max_ticks = 10}),
                   .y = plan_axis(chart.y, {.values = extents.y, .round_ends = true}),
                   .legend = legend_of(chart, lines),
                   .crowded_x = named ? Crowded::turn : Crowded::thin_out,
                   .x_grid = !named,
                   .x_inset = named ? 0.0 : 12.0,
                   .y_inset = chart.y.scale == AxisScale::linear ? 0.0 : 10.0});
  return plot.picture(draw_marks(lines, chart, plot), omitted.notes());
}

}  // namespace convoy::report
