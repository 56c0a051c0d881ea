#include "convoy/report/study/size_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convoy/report/study/scale_points.h"

namespace convoy::report {

LineChart size_chart(const study::ScaleAnalysis& analysis, Axis y, const Measure& measure) {
  LineChart chart{.x = {.title = analysis.size_key, .scale = AxisScale::log2, .categories = {}},
                  .y = std::move(y),
                  .series = {},
                  .hollow_means = hollow_text(analysis)};
  for (const study::ScaleSeries& series : analysis.series) {
    Series& line = chart.series.emplace_back();
    line.name = series.name.empty() ? "measured" : series.name;
    for (const study::ScalePoint& point : series.points) {
      std::optional<Point> drawn = measure(point);
      if (!drawn || point.size == 0) continue;  // of unknown size: there is no place for it
      drawn->x = static_cast<double>(point.size);
      drawn->hollow = drawn->hollow || point.is_doubtful();
      line.points.push_back(*drawn);
    }
  }
  return chart;
}

bool has_points(const LineChart& chart) {
  return std::ranges::any_of(chart.series,
                             [](const Series& series) { return !series.dashed && !series.points.empty(); });
}

void drop_empty_series(LineChart& chart) {
  for (std::size_t i = chart.series.size(); i-- > 0;) {
    if (!chart.series[i].points.empty()) continue;
    chart.series.erase(chart.series.begin() + static_cast<std::ptrdiff_t>(i));
    for (Series& other : chart.series) {
      if (other.fit_of && *other.fit_of > i) --*other.fit_of;
    }
  }
}

SizeRange size_range(const LineChart& chart) {
  SizeRange range;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      range.first = range.first == 0 ? point.x : std::min(range.first, point.x);
      range.last = std::max(range.last, point.x);
    }
  }
  return range;
}

Series computed_line(SizeRange range, std::string name, const std::function<double(double)>& y) {
  constexpr int kPieces = 32;  // a line that is straight in numbers is curved over doublings
  Series line{.name = std::move(name), .points = {}, .dashed = true};
  for (int i = 0; i <= kPieces; ++i) {
    const double x = range.first * std::pow(range.last / range.first, static_cast<double>(i) / kPieces);
    line.points.push_back({.x = x, .y = y(x), .low = {}, .high = {}});
  }
  return line;
}

}  // namespace convoy::report
