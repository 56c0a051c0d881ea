// Statistics and estimates as JSON. What is not known is left out; what is not finite is null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "convoy/base/statistics.h"
#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::study {

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

}  // namespace convoy::study
