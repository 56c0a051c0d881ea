#include "convoy/report/runs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "convoy/report/axis_plan.h"
#include "convoy/report/scale.h"

namespace convoy::report {
namespace {

void drop_unless_number(std::optional<double>& end) {
  if (end && !is_drawable(*end, AxisScale::linear)) end.reset();
}

bool lower(const Point& a, const Point& b) { return a.y < b.y; }

// The lowest and the highest point of a stretch, as they follow each other.
void append_extremes(Run& kept, Run::const_iterator begin, Run::const_iterator end) {
  const auto [lowest, highest] = std::minmax_element(begin, end, lower);
  kept.push_back(*std::min(lowest, highest));
  if (lowest != highest) kept.push_back(*std::max(lowest, highest));
}

}  // namespace

std::vector<Run> runs_of(const Series& series, const Axis& x, const Axis& y, Omitted& omitted) {
  std::vector<Point> points;
  for (const Point& point : series.points) {
    if (is_on_axis(point.x, x)) {
      points.push_back(point);
    } else {
      omitted.count(point.x);
    }
  }
  std::ranges::stable_sort(points, {}, &Point::x);
  std::vector<Run> runs;
  bool in_run = false;
  for (Point& point : points) {
    const bool drawn = is_drawable(point.y, y.scale);
    if (!drawn) omitted.count(point.y);
    if (drawn && !in_run) runs.emplace_back();
    in_run = drawn;
    if (!drawn) continue;
    drop_unless_number(point.low);
    drop_unless_number(point.high);
    runs.back().push_back(point);
  }
  return runs;
}

Run thinned(const Run& run, std::size_t most) {
  if (run.size() <= most || run.size() < 4) return run;
  const std::size_t stretches = std::max<std::size_t>(1, most / 2);
  const std::size_t inner = run.size() - 2;
  Run kept = {run.front()};
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(1 + inner * i / stretches);
    const auto end = static_cast<std::ptrdiff_t>(1 + inner * (i + 1) / stretches);
    if (begin < end) append_extremes(kept, run.begin() + begin, run.begin() + end);
  }
  kept.push_back(run.back());
  return kept;
}

}  // namespace convoy::report
