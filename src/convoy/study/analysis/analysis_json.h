// The conclusions of a study for other programs: what `--json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "convoy/base/statistics.h"
#include "convoy/study/analysis/batch_analysis.h"
#include "convoy/study/analysis/converge_analysis.h"
#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/analysis/study_analysis.h"
#include "convoy/study/analysis/sweep_analysis.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::study {

// Statistics and estimates. Unknown values are left out; values that are not finite are null.
[[nodiscard]] nlohmann::ordered_json to_json(const Summary& summary);
[[nodiscard]] nlohmann::ordered_json to_json(const Interval& interval);
[[nodiscard]] nlohmann::ordered_json to_json(const Estimate& estimate);

// Add the field `name` if the value is known.
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<double>& value);
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Summary>& summary);
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Estimate>& estimate);
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Interval>& interval);

// A point's settings, and marks that say whether its numbers are doubtful.
[[nodiscard]] nlohmann::ordered_json marked_point_json(const Point& point, const PointStatistics& statistics,
                                                       bool oversubscribed);

// The answer of each kind of study.
[[nodiscard]] nlohmann::ordered_json to_json(const BatchAnalysis& analysis);
[[nodiscard]] nlohmann::ordered_json to_json(const ConvergeAnalysis& analysis);
[[nodiscard]] nlohmann::ordered_json to_json(const ScaleAnalysis& analysis);
[[nodiscard]] nlohmann::ordered_json to_json(const SweepAnalysis& analysis);

// Kind, numbers of runs and, for each point, its settings, its marks and the statistics of its runs; then the analysis
// for the kind of study, with the same numbers that its report shows. Unknown values are left out; values that are not
// finite are null.
[[nodiscard]] nlohmann::ordered_json to_json(const StudyAnalysis& analysis);

}  // namespace convoy::study
