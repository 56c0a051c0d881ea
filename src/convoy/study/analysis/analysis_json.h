// What a study concludes, for other programs: what `--json` prints.
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

// Statistics and estimates. What is not known is left out; what is not finite is null.
[[nodiscard]] nlohmann::ordered_json to_json(const Summary& summary);
[[nodiscard]] nlohmann::ordered_json to_json(const Interval& interval);
[[nodiscard]] nlohmann::ordered_json to_json(const Estimate& estimate);

// As the field `name`, where it is known.
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<double>& value);
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Summary>& summary);
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Estimate>& estimate);
void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Interval>& interval);

// A point with its marks: settings, and whether its numbers are doubtful.
[[nodiscard]] nlohmann::ordered_json marked_point_json(const Point& point, const PointStatistics& statistics,
                                                       bool oversubscribed);

// The answer of each kind of study.
[[nodiscard]] nlohmann::ordered_json to_json(const BatchAnalysis& analysis);
[[nodiscard]] nlohmann::ordered_json to_json(const ConvergeAnalysis& analysis);
[[nodiscard]] nlohmann::ordered_json to_json(const ScaleAnalysis& analysis);
[[nodiscard]] nlohmann::ordered_json to_json(const SweepAnalysis& analysis);

// Kind, counts of runs and, for each point, its settings, its marks and the statistics of its runs; then the analysis
// of the study's kind, the same numbers that its report shows. What is not known is left out; what is not finite is
// null.
[[nodiscard]] nlohmann::ordered_json to_json(const StudyAnalysis& analysis);

}  // namespace convoy::study
