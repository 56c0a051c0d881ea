#include "convoy/report/chart/stretches.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "convoy/report/chart/axis.h"

namespace convoy::report {
namespace {

void drop_unless_number(std::optional<double>& end) {
  if (end && !is_drawable(*end, AxisScale::linear)) end.reset();
}

bool lower(const Point& a, const Point& b) { return a.y < b.y; }

// Appends the lowest and the highest point of a part of a stretch, in their order.
void append_extremes(Stretch& kept, Stretch::const_iterator begin, Stretch::const_iterator end) {
  const auto [lowest, highest] = std::minmax_element(begin, end, lower);
  kept.push_back(*std::min(lowest, highest));
  if (lowest != highest) kept.push_back(*std::max(lowest, highest));
}

}  // namespace

std::vector<Stretch> stretches_of(const Series& series, const Axis& x, const Axis& y, Omitted& omitted) {
  std::vector<Point> points;
  for (const Point& point : series.points) {
    if (is_on_axis(point.x, x)) {
      points.push_back(point);
    } else {
      omitted.count(point.x);
    }
  }
  std::ranges::stable_sort(points, {}, &Point::x);
  std::vector<Stretch> stretches;
  bool inside = false;
  for (Point& point : points) {
    const bool drawn = is_drawable(point.y, y.scale);
    if (!drawn) omitted.count(point.y);
    if (drawn && !inside) stretches.emplace_back();
    inside = drawn;
    if (!drawn) continue;
    drop_unless_number(point.low);
    drop_unless_number(point.high);
    stretches.back().push_back(point);
  }
  return stretches;
}

Stretch thinned(const Stretch& stretch, std::size_t most) {
  if (stretch.size() <= most || stretch.size() < 4) return stretch;
  const std::size_t parts = std::max<std::size_t>(1, most / 2);
  const std::size_t inner = stretch.size() - 2;
  Stretch kept = {stretch.front()};
  for (std::size_t i = 0; i < parts; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(1 + inner * i / parts);
    const auto end = static_cast<std::ptrdiff_t>(1 + inner * (i + 1) / parts);
    if (begin < end) append_extremes(kept, stretch.begin() + begin, stretch.begin() + end);
  }
  kept.push_back(stretch.back());
  return kept;
}

}  // namespace convoy::report
