// The points of a series as they are drawn: in order, cut where values are missing, and not more than can be seen.
#pragma once

#include <cstddef>
#include <vector>

#include "convoy/report/line_chart.h"
#include "convoy/report/omitted.h"

namespace convoy::report {

// Points by rising x with nothing missing between them.
using Run = std::vector<Point>;

// Points that have no place on the axes end a run and are counted in `omitted`. Ends of intervals that are no numbers
// are dropped. There are no empty runs.
[[nodiscard]] std::vector<Run> runs_of(const Series& series, const Axis& x, const Axis& y, Omitted& omitted);

// At most about `most` points of a run: the first, the last, and the lowest and highest of each stretch between.
[[nodiscard]] Run thinned(const Run& run, std::size_t most);

}  // namespace convoy::report
