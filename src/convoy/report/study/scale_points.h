// The points of a scaling study as the report lists them: each once, with its marks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "convoy/report/table.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

inline constexpr const char* kOversubscribedMeans = "more threads than cores: doubtful";
inline constexpr const char* kDisturbedMeans = "others used the cores: doubtful";

// What hollow marks mean, for a legend; empty when there are none.
[[nodiscard]] std::string hollow_text(bool any_oversubscribed, bool any_disturbed);
[[nodiscard]] std::string hollow_text(const study::ScaleAnalysis& analysis);

// Points into the analysis.
struct ListedPoint {
  // "weak, ring"; "base", or "base, model lenet" if there are several, for a point with which several series begin;
  // empty if there is only one series.
  std::string series;
  const study::ScaleSeries* owner = nullptr;  // the first series that contains it
  const study::ScalePoint* point = nullptr;
  bool begins_several = false;  // several series begin with it
};

[[nodiscard]] std::vector<ListedPoint> listed_points(const study::ScaleAnalysis& analysis);

// The index of that point in the list.
[[nodiscard]] std::size_t listed_index(const std::vector<ListedPoint>& listed, const study::ScalePoint& point);

// "weak, ring, 2 workers", "4 workers (oversubscribed)"
[[nodiscard]] std::string point_name(const study::ScaleAnalysis& analysis, const ListedPoint& listed);

// Failed if no run counts; doubtful if it is oversubscribed or disturbed.
[[nodiscard]] RowMark mark_of(const study::PointStatistics& statistics, bool oversubscribed);

// "oversubscribed; disturbed; 1 of 3 runs failed"; empty when there is nothing to say.
[[nodiscard]] std::string remark_of(const study::PointStatistics& statistics, bool oversubscribed);

// "batch unknown; workers unknown": what an imported log does not say; empty if it says everything.
[[nodiscard]] std::string unknown_text(const study::Point& point);

// "97.3"; "134.0 ?" for an impossible one.
[[nodiscard]] std::string efficiency_cell(const study::ScalePoint& point);
// "97.3 %"; "134.0 %, more than linear and so doubtful: was the base held up?"
[[nodiscard]] std::string efficiency_text(const study::ScalePoint& point);

}  // namespace convoy::report
