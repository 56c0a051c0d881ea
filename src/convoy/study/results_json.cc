#include "convoy/study/results_json.h"

#include <nlohmann/json.hpp>

#include "convoy/record/json_fields.h"
#include "convoy/study/point_statistics.h"

namespace convoy::study {
namespace {

using Json = nlohmann::ordered_json;

Json summary_json(const Summary& summary) {
  Json json = {{"count", summary.count},
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

void add(Json& json, const char* name, const std::optional<Summary>& summary) {
  if (summary) json[name] = summary_json(*summary);
}

void add(Json& json, const char* name, const std::optional<double>& value) {
  if (value) json[name] = json_number(*value);
}

Json shares_json(const TimeShares& shares) {
  return {{"compute", shares.compute},
          {"exposed_communication", shares.exposed_communication},
          {"straggler_wait", shares.straggler_wait},
          {"input_wait", shares.input_wait},
          {"other", shares.other}};
}

Json point_json(const StudyResults& results, const PointResult& point) {
  const PointStatistics statistics = statistics_of(results, point);
  Json json = {{"point", point.point},
               {"oversubscribed", point.oversubscribed},
               {"global_batch", global_batch(results.spec, point.point)},
               {"runs", statistics.runs},
               {"failed_runs", statistics.failed},
               {"disturbed_runs", statistics.disturbed},
               {"disturbed", statistics.rests_on_disturbed}};
  add(json, "samples_per_second", statistics.throughput);
  add(json, "samples_per_second_of_epochs", statistics.epoch_throughput);
  add(json, "samples_per_second_of_lines", statistics.line_throughput);
  add(json, "step_seconds", statistics.step_seconds);
  add(json, "turnaround_seconds", statistics.turnaround_seconds);
  add(json, "cost", statistics.cost);
  add(json, "hidden_communication_share", statistics.hidden_share);
  if (statistics.shares) json["time_shares"] = shares_json(*statistics.shares);
  if (statistics.cpu_use > 0) json["cpu_use"] = statistics.cpu_use;
  if (statistics.peak_memory_bytes > 0) json["peak_memory_bytes"] = statistics.peak_memory_bytes;
  return json;
}

}  // namespace

Json to_json(const StudyResults& results) {
  Json json = {{"study", results.folder.string()},
               {"kind", to_text(results.spec.kind)},
               {"planned_runs", results.planned_runs},
               {"ended_runs", results.ended_runs},
               {"failed_runs", results.failed_runs},
               {"disturbed_runs", results.disturbed_runs},
               {"warm_up_epochs", results.spec.warm_up_epochs},
               {"points", Json::array()}};
  for (const PointResult& point : results.points) json["points"].push_back(point_json(results, point));
  return json;
}

}  // namespace convoy::study
