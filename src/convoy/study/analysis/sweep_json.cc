#include "convoy/study/analysis/sweep_json.h"

#include <nlohmann/json.hpp>

#include "convoy/base/statistics.h"
#include "convoy/record/json_fields.h"
#include "convoy/study/analysis/json_parts.h"

namespace convoy::study {
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

// Those at these places of the ranking.
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
  json["best_for_workers"] = points_at(analysis, analysis.best_for_workers);
  if (analysis.accuracy_lead) json["highest_accuracy"] = accuracy_json(analysis, *analysis.accuracy_lead);
  return json;
}

}  // namespace convoy::study
