#include "convoy/study/analysis/analysis_json.h"

#include <nlohmann/json.hpp>

#include "convoy/record/json_fields.h"

namespace convoy::study {
namespace {

using Json = nlohmann::ordered_json;

Json verdict_json(const Verdict& verdict) {
  Json json = {{"bottleneck", to_text(verdict.bottleneck)}, {"why", verdict.why}, {"advice", verdict.advice}};
  add_known(json, "free_network_efficiency", verdict.free_network_efficiency);
  return json;
}

// The value with its interval, if there is one.
std::optional<Estimate> with_interval(const std::optional<double>& value, const std::optional<Interval>& interval) {
  return value ? std::optional(Estimate{*value, interval}) : std::nullopt;
}

Json scale_point_json(const ScalePoint& point) {
  Json json = marked_point_json(point.point, point.statistics, point.oversubscribed);
  json["size"] = point.size;
  json["global_batch"] = point.global_batch;
  if (point.statistics.throughput) json["samples_per_second"] = json_number(point.statistics.throughput->mean);
  add_known(json, "speed_up", with_interval(point.speed_up, point.speed_up_95));
  add_known(json, "efficiency", with_interval(point.efficiency, point.efficiency_95));
  add_known(json, "time_efficiency", point.time_efficiency);
  add_known(json, "step_increase", point.step_increase);
  json["beyond_linear"] = point.beyond_linear;
  if (point.verdict) json["verdict"] = verdict_json(*point.verdict);
  return json;
}

void add_fit(Json& json, const ScalingFit& fit) {
  json["single_samples_per_second"] = to_json(fit.single_throughput);
  json["serial_share"] = to_json(fit.serial_share);
  if (fit.law == ScalingLaw::universal) json["crosstalk"] = to_json(fit.crosstalk);
  add_known(json, "knee", fit.knee);
  json["rms_relative_error"] = json_number(fit.rms_relative_error);
  json["observations"] = fit.observations;
  json["notes"] = fit.notes;
}

void add_prediction(Json& json, const ScalingPrediction& prediction) {
  json["prediction"] = {{"size", prediction.size},
                        {"samples_per_second", to_json(prediction.throughput)},
                        {"speed_up", json_number(prediction.speed_up)},
                        {"efficiency", json_number(prediction.efficiency)}};
}

Json law_json(ScalingLaw law, const ScalingFitResult& result, const PredictionResult& prediction) {
  Json json = {{"law", to_text(law)}, {"fitted", result.fit.has_value()}};
  if (!result.fit) {
    json["reason"] = result.reason;
    return json;
  }
  add_fit(json, *result.fit);
  if (prediction.prediction) add_prediction(json, *prediction.prediction);
  if (!prediction.prediction) json["no_prediction"] = prediction.reason;
  return json;
}

Json size_step_json(const SizeStep& step) {
  return {{"from", step.from},
          {"to", step.to},
          {"gain", json_number(step.gain)},
          {"ratio", json_number(step.ratio)},
          {"pays", step.is_worthwhile()}};
}

Json pay_off_json(const PayOff& pay_off) {
  Json json = {{"size", pay_off.size}, {"largest_measured", pay_off.largest_measured}};
  if (pay_off.last) json["last"] = size_step_json(*pay_off.last);
  if (pay_off.not_worth) json["not_worth"] = size_step_json(*pay_off.not_worth);
  json["judged_size"] = pay_off.judged_size();
  return json;
}

Json series_json(const ScaleSeries& series) {
  Json json = {{"name", series.name},
               {"values", series.values},
               {"weak", series.is_weak},
               {"base_size", series.base_size},
               {"base_disturbed", series.base_is_disturbed},
               {"points", Json::array()}};
  for (const ScalePoint& point : series.points) json["points"].push_back(scale_point_json(point));
  json["laws"] = {law_json(ScalingLaw::amdahl, series.amdahl, series.amdahl_prediction),
                  law_json(ScalingLaw::universal, series.universal, series.universal_prediction)};
  if (series.pay_off) json["pay_off"] = pay_off_json(*series.pay_off);
  if (!series.pay_off) json["no_pay_off"] = why_no_pay_off(series);
  json["steps"] = Json::array();
  for (const SizeStep& step : series.steps) json["steps"].push_back(size_step_json(step));
  return json;
}

Json all_reduce_json(const AllReduceChoice& choice) {
  Json json = {{"circumstances", choice.circumstances},
               {"size", choice.size},
               {"oversubscribed", choice.oversubscribed},
               {"measured", Json::array()}};
  for (const MeasuredAllReduce& each : choice.measured) {
    json["measured"].push_back({{"all_reduce", each.name}, {"samples_per_second", to_json(each.throughput)}});
  }
  json["lead"] = {{"value", json_number(choice.lead.value)},
                  {"low_95", json_number(choice.lead.value - choice.lead.half_width_95)},
                  {"high_95", json_number(choice.lead.value + choice.lead.half_width_95)}};
  if (choice.automatic) {
    json["auto"] = {{"rival", choice.automatic->rival},
                    {"lead", json_number(choice.automatic->lead.value)},
                    {"decided", choice.automatic->is_decided()}};
  }
  json["winner"] = choice.is_decided() ? choice.measured.front().name : "none";
  if (choice.is_decided()) return json;
  json["reason"] = choice.is_repeated() ? "the lead is not more than the spread of the runs"
                                        : "at least one of the first two was measured only once";
  return json;
}

Json place_json(const ScaleAnalysis& analysis, const ScalePlace& place) {
  return {{"series", analysis.series[place.series].name}, {"point", analysis.at(place).point}};
}

Json compared_json(const ScaleAnalysis& analysis, const WeakAgainstStrong& both) {
  const ScalePoint& weak = analysis.at(both.weak);
  const ScalePoint& strong = analysis.at(both.strong);
  Json json = {
      {"size", weak.size}, {"weak", place_json(analysis, both.weak)}, {"strong", place_json(analysis, both.strong)}};
  add_known(json["weak"], "efficiency", with_interval(weak.efficiency, weak.efficiency_95));
  add_known(json["strong"], "efficiency", with_interval(strong.efficiency, strong.efficiency_95));
  return json;
}

}  // namespace

Json to_json(const ScaleAnalysis& analysis) {
  Json json = {{"size_key", analysis.size_key}, {"scaling", analysis.scaling}, {"series", Json::array()}};
  for (const ScaleSeries& series : analysis.series) json["series"].push_back(series_json(series));
  if (analysis.answer.fastest) json["fastest"] = place_json(analysis, *analysis.answer.fastest);
  if (analysis.answer.most_efficient) json["most_efficient"] = place_json(analysis, *analysis.answer.most_efficient);
  json["weak_against_strong"] = Json::array();
  for (const WeakAgainstStrong& both : analysis.answer.weak_against_strong) {
    json["weak_against_strong"].push_back(compared_json(analysis, both));
  }
  json["all_reduces"] = Json::array();
  for (const AllReduceChoice& choice : analysis.all_reduces) json["all_reduces"].push_back(all_reduce_json(choice));
  return json;
}

}  // namespace convoy::study
