#include "convoy/report/summary_point.h"

namespace convoy::report {

Point summary_point(double x, const Summary& summary, bool hollow, double scale) {
  Point point{.x = x, .y = summary.mean * scale, .low = {}, .high = {}, .hollow = hollow};
  if (summary.count > 1) {
    point.low = (summary.mean - summary.half_width_95) * scale;
    point.high = (summary.mean + summary.half_width_95) * scale;
  }
  return point;
}

Bar summary_bar(const Summary& summary, bool hollow, double scale) {
  const Point point = summary_point(0, summary, hollow, scale);
  return {.value = point.y, .low = point.low, .high = point.high, .hollow = hollow};
}

}  // namespace convoy::report
