// The points of a series as they are drawn: in order, divided where values are missing, and no more than can be seen.
#pragma once

#include <cstddef>
#include <vector>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/line_chart.h"

namespace convoy::report {

// Points in ascending order of x with nothing missing between them.
using Stretch = std::vector<Point>;

// Points that have no place on the axes end a stretch and are counted in `omitted`. Ends of intervals that are not
// finite are dropped. There are no empty stretches.
[[nodiscard]] std::vector<Stretch> stretches_of(const Series& series, const Axis& x, const Axis& y, Omitted& omitted);

// At most about `most` points of a stretch: the first, the last, and the lowest and highest of each part in between.
[[nodiscard]] Stretch thinned(const Stretch& stretch, std::size_t most);

}  // namespace convoy::report
