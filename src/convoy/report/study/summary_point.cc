#include "convoy/report/study/summary_point.h"

#include <algorithm>

namespace convoy::report {

Point summary_point(double x, const Summary& summary, const MarkStyle& style) {
  Point point{.x = x, .y = summary.mean * style.scale, .low = {}, .high = {}, .hollow = style.hollow};
  if (summary.has_interval()) {
    point.low = std::max(summary.low_95 * style.scale, 0.0);
    point.high = std::min(summary.high_95 * style.scale, style.most);
  }
  return point;
}

Bar summary_bar(const Summary& summary, const MarkStyle& style) {
  const Point point = summary_point(0, summary, style);
  return {.value = point.y, .low = point.low, .high = point.high, .hollow = style.hollow};
}

}  // namespace convoy::report
