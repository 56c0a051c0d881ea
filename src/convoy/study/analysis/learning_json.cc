#include "convoy/study/analysis/analysis_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "convoy/base/statistics.h"
#include "convoy/record/json_fields.h"

namespace convoy::study {
namespace {

using Json = nlohmann::ordered_json;

Json converge_point_json(const ConvergePoint& point) {
  Json json = marked_point_json(point.point, point.statistics, point.oversubscribed);
  json["workers"] = point.workers;
  json["runs"] = std::ssize(point.accuracies.runs);
  add_known(json, "final_accuracy", point.final_accuracy);
  add_known(json, "best_accuracy", point.best_accuracy);
  if (point.final_accuracy) json["final_error"] = json_number(1 - point.final_accuracy->mean);
  add_known(json, "final_train_accuracy", point.train_accuracy);
  if (point.gap) json["gap"] = json_number(*point.gap);
  json["overfitting"] = {{"judged_runs", point.judged_runs}, {"seen_in_runs", point.overfitted_runs}};
  if (point.global_batch > 0) json["global_batch"] = point.global_batch * point.instances;
  add_known(json, "epoch_seconds", point.epoch_seconds);
  add_known(json, "total_seconds", point.total_seconds);
  add_known(json, "wire_bytes", point.wire_bytes);
  json["stable_runs"] = point.stable_runs;
  add_known(json, "stable_epochs", point.stable_epochs);
  add_known(json, "stable_seconds", point.stable_seconds);
  json["target_runs"] = point.target_runs;
  add_known(json, "target_seconds", point.target_seconds);
  add_known(json, "target_epochs", point.target_epochs);
  return json;
}

Json converge_points_at(const ConvergeAnalysis& analysis, const std::vector<std::size_t>& indices) {
  Json json = Json::array();
  for (const std::size_t index : indices) json.push_back(analysis.points[index].point);
  return json;
}

// Why no point is called the most accurate; empty when one is.
std::string why_none_most_accurate(const std::optional<AccuracyLead>& lead) {
  if (!lead) return "no run was evaluated";
  if (lead->at_chance) return "even the highest accuracy may be chance";
  if (lead->ties.empty()) return "";
  return fmt::format("the runs, or the test data, do not tell the highest from {} more", lead->ties.size());
}

void add_winner(Json& json, const ConvergeAnalysis& analysis) {
  const std::string reason = why_none_most_accurate(analysis.lead);
  if (reason.empty()) {
    json["winner"] = analysis.points[analysis.lead->best].point;
  } else {
    json["winner"] = "none";
    json["reason"] = reason;
  }
  if (!analysis.lead) return;
  json["highest_accuracy"] = {{"point", analysis.points[analysis.lead->best].point},
                              {"ties", converge_points_at(analysis, analysis.lead->ties)},
                              {"at_chance", analysis.lead->at_chance}};
}

void add_trend(Json& json, const char* name, const std::optional<WorkerTrend>& trend) {
  if (!trend) return;
  json[name] = {{"per_doubling", to_json(trend->per_doubling)},
                {"at_one_worker", json_number(trend->at_one_worker)},
                {"observations", trend->observations},
                {"significant", trend->is_significant()}};
  if (!trend->note.empty()) json[name]["note"] = trend->note;
}

}  // namespace

Json to_json(const ConvergeAnalysis& analysis) {
  Json json = {{"points", Json::array()}};
  for (const ConvergePoint& point : analysis.points) json["points"].push_back(converge_point_json(point));
  if (analysis.common_epoch) json["common_epoch"] = *analysis.common_epoch;
  add_winner(json, analysis);
  json["stable_first"] = converge_points_at(analysis, analysis.stable_first);
  json["target_first"] = converge_points_at(analysis, analysis.target_first);
  add_trend(json, "accuracy_trend", analysis.accuracy_trend);
  add_trend(json, "stable_trend", analysis.stable_trend);
  add_trend(json, "stable_accuracy_trend", analysis.level_trend);
  return json;
}

namespace {

using Json = nlohmann::ordered_json;

Json sweep_point_json(const SweepPoint& point) {
  Json json = marked_point_json(point.point, point.statistics, point.oversubscribed);
  json["name"] = point.name;
  json["workers"] = point.workers;
  json["epochs"] = point.epochs;
  json["given_up"] = point.given_up;
  add_known(json, "loss_by_seconds", point.loss_by_seconds);
  add_known(json, "loss_by_samples", point.loss_by_samples);
  add_known(json, "loss_by_cost", point.loss_by_cost);
  add_known(json, "final_loss", point.final_loss);
  add_known(json, "final_accuracy", point.final_accuracy);
  if (!point.trouble.empty()) json["trouble"] = point.trouble;
  return json;
}

void add_stretch(Json& json, const char* name, const std::optional<Stretch>& stretch) {
  if (stretch) json[name] = {{"from", json_number(stretch->from)}, {"to", json_number(stretch->to)}};
}

// The points with these indices in the ranking.
Json points_at(const SweepAnalysis& analysis, const std::vector<std::size_t>& indices) {
  Json json = Json::array();
  for (const std::size_t index : indices) json.push_back(analysis.ranked[index].point);
  return json;
}

Json accuracy_json(const SweepAnalysis& analysis, const AccuracyLead& lead) {
  const SweepPoint& best = analysis.ranked[lead.best];
  return {{"point", best.point},
          {"accuracy", json_number(mean(best.accuracies.runs))},
          {"epoch", analysis.accuracy_epoch},
          {"ties", points_at(analysis, lead.ties)},
          {"at_chance", lead.at_chance}};
}

}  // namespace

Json to_json(const SweepAnalysis& analysis) {
  Json json = {{"ranked", Json::array()}};
  for (const SweepPoint& point : analysis.ranked) json["ranked"].push_back(sweep_point_json(point));
  add_stretch(json, "compared_seconds", analysis.seconds);
  add_stretch(json, "compared_samples", analysis.samples);
  add_stretch(json, "compared_cost", analysis.cost);
  json["by_steps"] = analysis.by_steps;
  if (analysis.lead.is_shown()) {
    json["winner"] = analysis.ranked.front().point;
  } else {
    json["winner"] = "none";
    json["reason"] = analysis.lead.why_none;
  }
  json["rivals"] = points_at(analysis, analysis.lead.rivals);
  add_known(json, "lead_to_second", analysis.lead.to_second);
  for (const WorkersSweep& sweep : analysis.by_workers) {
    json["by_workers"].push_back({{"workers", sweep.workers}, {"sweep", to_json(sweep.analysis)}});
  }
  json["best_for_workers"] = points_at(analysis, analysis.best_for_workers);
  if (analysis.accuracy_lead) json["highest_accuracy"] = accuracy_json(analysis, *analysis.accuracy_lead);
  return json;
}

}  // namespace convoy::study
