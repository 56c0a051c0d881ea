// The points of a scaling study as the report lists them: each once, with its marks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/report/table.h"
#include "convoy/study/scale_analysis.h"

namespace convoy::report {

inline constexpr const char* kOversubscribedMeans = "more threads than cores: doubtful";
inline constexpr const char* kDisturbedMeans = "others used the cores: doubtful";

// What hollow marks mean, for a legend; empty when there are none.
[[nodiscard]] std::string hollow_text(bool any_oversubscribed, bool any_disturbed);
[[nodiscard]] std::string hollow_text(const study::ScaleAnalysis& analysis);

// Pointers into the analysis.
struct ListedPoint {
  std::string series;  // "weak, ring"; "base" for a point that several series begin with; empty for the only series
  const study::ScaleSeries* owner = nullptr;  // the first series that has it
  const study::ScalePoint* point = nullptr;
};

[[nodiscard]] std::vector<ListedPoint> listed_points(const study::ScaleAnalysis& analysis);

// "weak, ring, 2 workers", "4 workers (oversubscribed)"
[[nodiscard]] std::string point_name(const study::ScaleAnalysis& analysis, const ListedPoint& listed);

// Failed where no run counts, doubtful where oversubscribed or disturbed.
[[nodiscard]] RowMark mark_of(const study::PointStatistics& statistics, bool oversubscribed);

// "oversubscribed; disturbed; 1 of 3 runs failed"; empty when there is nothing to say.
[[nodiscard]] std::string remark_of(const study::PointStatistics& statistics, bool oversubscribed);

// "batch unknown; workers unknown": what an imported log does not say; empty when it says all.
[[nodiscard]] std::string unknown_text(const study::Point& point);

// Whether it was measured, on cores of its own and undisturbed: what answers, fits and advice go by.
[[nodiscard]] bool is_trusted(const study::ScalePoint& point);

// The largest size of such a point; 0 when there is none.
[[nodiscard]] std::int64_t largest_trusted(const study::ScaleSeries& series);

// Laws are not trusted farther from the data: twice the largest size of such a point.
[[nodiscard]] std::int64_t farthest_prediction(const study::ScaleSeries& series);
[[nodiscard]] bool is_near(double size, const study::ScaleSeries& series);

// The highest throughput of such a point beyond the base, which several series share; 0 when there is none.
[[nodiscard]] double best_beyond_base(const study::ScaleSeries& series);

// Whether some point is more efficient than can be.
[[nodiscard]] bool any_beyond_linear(const study::ScaleAnalysis& analysis);

// "97.3"; "134.0 ?" for one that cannot be.
[[nodiscard]] std::string efficiency_cell(const study::ScalePoint& point);
// "97.3 %"; "134.0 %, more than linear and so doubtful: was the base held up?"
[[nodiscard]] std::string efficiency_text(const study::ScalePoint& point);

// Whether no point was measured more than once, so that there are no intervals anywhere.
[[nodiscard]] bool all_single(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
