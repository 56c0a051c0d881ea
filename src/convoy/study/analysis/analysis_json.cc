#include "convoy/study/analysis/analysis_json.h"

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
  // A single value has no spread: its interval is unbounded and both ends are null.
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

namespace {

nlohmann::ordered_json batch_series_json(const BatchSeries& series) {
  nlohmann::ordered_json json = {{"name", series.name}, {"points", nlohmann::ordered_json::array()}};
  for (const BatchPoint& point : series.points) {
    nlohmann::ordered_json each = marked_point_json(point.point, point.statistics, point.oversubscribed);
    each["batch"] = point.batch;
    add_known(each, "samples_per_second", point.statistics.throughput);
    json["points"].push_back(std::move(each));
  }
  if (!series.advice) {
    json["recommended"] = "none";
    json["reason"] = "no batch was measured undisturbed";
    return json;
  }
  json["recommended"] = series.advice->batch;
  json["fastest"] = series.advice->fastest;
  json["certain"] = series.advice->certain;
  json["why"] = series.advice->why;
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const BatchAnalysis& analysis) {
  nlohmann::ordered_json json = {{"series", nlohmann::ordered_json::array()}};
  for (const BatchSeries& series : analysis.series) json["series"].push_back(batch_series_json(series));
  return json;
}

namespace {

using Json = nlohmann::ordered_json;

Json shares_json(const TimeShares& shares) {
  return {{"compute", shares.compute},
          {"exposed_communication", shares.exposed_communication},
          {"straggler_wait", shares.straggler_wait},
          {"input_wait", shares.input_wait},
          {"other", shares.other}};
}

Json point_json(const StudySpec& spec, const PointResult& point, const PointStatistics& statistics) {
  Json json = {{"point", point.point},
               {"oversubscribed", point.oversubscribed},
               {"global_batch", global_batch(spec, point.point)},
               {"runs", statistics.runs},
               {"failed_runs", statistics.failed},
               {"disturbed_runs", statistics.disturbed},
               {"disturbed", statistics.rests_on_disturbed}};
  add_known(json, "samples_per_second", statistics.throughput);
  add_known(json, "samples_per_second_of_epochs", statistics.epoch_throughput);
  add_known(json, "samples_per_second_of_lines", statistics.line_throughput);
  add_known(json, "step_seconds", statistics.step_seconds);
  add_known(json, "turnaround_seconds", statistics.turnaround_seconds);
  add_known(json, "cost", statistics.cost);
  add_known(json, "hidden_communication_share", statistics.hidden_share);
  add_known(json, "learning_rate", statistics.learning_rate);
  if (statistics.shares) json["time_shares"] = shares_json(*statistics.shares);
  if (statistics.cpu_use > 0) json["cpu_use"] = statistics.cpu_use;
  if (statistics.peak_memory_bytes > 0) json["peak_memory_bytes"] = statistics.peak_memory_bytes;
  return json;
}

Json published_json(const PublishedCheck& check) {
  Json json = {{"series", check.figure.series},
               {check.figure.size_key, check.figure.size},
               {"statistic", to_text(check.figure.statistic)},
               {"published", check.figure.text},
               {"agreement", to_text(check.agreement)},
               {"text", check.text}};
  add_known(json, "computed", check.computed);
  return json;
}

// Points about whose speed nothing is certain, because all of their runs were disturbed.
Json disturbed_points(const StudyAnalysis& analysis) {
  Json json = Json::array();
  for (std::size_t i = 0; i < analysis.statistics.size(); ++i) {
    if (analysis.statistics[i].rests_on_disturbed) json.push_back(analysis.results.points[i].point);
  }
  return json;
}

}  // namespace

Json to_json(const StudyAnalysis& analysis) {
  const StudyResults& results = analysis.results;
  Json json = {{"study", results.folder.string()},
               {"kind", to_text(results.spec.kind)},
               {"planned_runs", results.planned_runs},
               {"ended_runs", results.ended_runs},
               {"failed_runs", results.failed_runs},
               {"disturbed_runs", results.disturbed_runs},
               {"skipped_epochs", results.spec.skipped_epochs},
               {"points", Json::array()}};
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    json["points"].push_back(point_json(results.spec, results.points[i], analysis.statistics[i]));
  }
  json["warnings"] = Json::array();
  for (const StudyWarning& warning : analysis.warnings) {
    json["warnings"].push_back({{"kind", to_text(warning.kind)}, {"text", warning.text}});
  }
  json["notes"] = results.notes;
  json["disturbed_points"] = disturbed_points(analysis);
  if (analysis.fastest) json["fastest"] = results.points[*analysis.fastest].point;
  add_known(json, "best_final_accuracy", analysis.best_accuracy);
  json["analysis"] = std::visit([](const auto& of_kind) { return to_json(of_kind); }, analysis.of_kind);
  if (analysis.learned) json["learned"] = to_json(*analysis.learned);
  if (!analysis.published.empty()) json["published"] = Json::array();
  for (const PublishedCheck& check : analysis.published) json["published"].push_back(published_json(check));
  for (const Prediction& said : analysis.predictions) {
    Json row = {{"quantity", said.quantity}, {"unit", said.unit}, {"series", said.series}, {"size", said.size}};
    add_known(row, "prediction", said.estimate);
    if (said.estimate) row.update({{"by", said.by}, {"beyond", json_number(said.beyond)}});
    if (!said.estimate) row["reason"] = said.reason;
    json["predictions"].push_back(std::move(row));
  }
  return json;
}

}  // namespace convoy::study
