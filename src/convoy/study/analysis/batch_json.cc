#include "convoy/study/analysis/batch_json.h"

#include <nlohmann/json.hpp>

#include "convoy/study/analysis/json_parts.h"

namespace convoy::study {
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

}  // namespace convoy::study
