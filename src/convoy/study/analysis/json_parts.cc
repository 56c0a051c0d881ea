#include "convoy/study/analysis/json_parts.h"

#include <nlohmann/json.hpp>

#include "convoy/record/json_fields.h"

namespace convoy::study {
namespace {

template <typename Value>
void add_as_json(nlohmann::ordered_json& json, const char* name, const std::optional<Value>& value) {
  if (value) json[name] = to_json(*value);
}

}  // namespace

nlohmann::ordered_json to_json(const Summary& summary) {
  nlohmann::ordered_json json = {{"count", summary.count},
                                 {"mean", json_number(summary.mean)},
                                 {"median", json_number(summary.median)},
                                 {"standard_deviation", json_number(summary.standard_deviation)},
                                 {"cv", json_number(summary.cv)}};
  // A single value has no spread: its interval is unbounded, and its ends null.
  json["low_95"] = json_number(summary.low_95);
  json["high_95"] = json_number(summary.high_95);
  json["interval_from"] = to_text(summary.interval_from);
  json["degrees_of_freedom"] = json_number(summary.interval_freedom);
  return json;
}

nlohmann::ordered_json to_json(const Interval& interval) {
  return {{"low_95", json_number(interval.low)}, {"high_95", json_number(interval.high)}};
}

nlohmann::ordered_json to_json(const Estimate& estimate) {
  nlohmann::ordered_json json = {{"value", json_number(estimate.value)}};
  if (estimate.interval_95) json.update(to_json(*estimate.interval_95));
  return json;
}

void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<double>& value) {
  if (value) json[name] = json_number(*value);
}

void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Summary>& summary) {
  add_as_json(json, name, summary);
}

void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Estimate>& estimate) {
  add_as_json(json, name, estimate);
}

void add_known(nlohmann::ordered_json& json, const char* name, const std::optional<Interval>& interval) {
  add_as_json(json, name, interval);
}

nlohmann::ordered_json marked_point_json(const Point& point, const PointStatistics& statistics, bool oversubscribed) {
  return {{"point", point}, {"oversubscribed", oversubscribed}, {"disturbed", statistics.rests_on_disturbed}};
}

}  // namespace convoy::study
