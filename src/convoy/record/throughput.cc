#include "convoy/record/throughput.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "convoy/base/statistics.h"
#include "convoy/record/json_fields.h"

namespace convoy {

Throughput throughput_of(std::span<const EpochRecord> epochs, std::int64_t skipped_epochs) {
  const auto left_out = std::clamp<std::int64_t>(skipped_epochs, 0, std::ssize(epochs));
  std::vector<double> rates;
  for (const EpochRecord& epoch : epochs.subspan(static_cast<std::size_t>(left_out))) {
    if (std::isfinite(epoch.samples_per_second)) rates.push_back(epoch.samples_per_second);
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Throughput result = {std::ssize(rates), left_out, kNone, kNone, kNone};
  if (!rates.empty()) {
    const Summary summary = summarize(rates);
    result.median = summary.median;
    result.mean = summary.mean;
    result.cv = summary.cv;
  }
  return result;
}

nlohmann::ordered_json to_json(const Throughput& throughput) {
  return {{"epochs", throughput.epochs},
          {"skipped_epochs", throughput.skipped_epochs},
          {"median", json_number(throughput.median)},
          {"mean", json_number(throughput.mean)},
          {"cv", json_number(throughput.cv)}};
}

Throughput throughput_from(const nlohmann::ordered_json& json) {
  Throughput throughput;
  read_field(json, "epochs", throughput.epochs);
  // The field was called warm_up_epochs until version 0.1.0.
  read_field(json, json.contains("skipped_epochs") ? "skipped_epochs" : "warm_up_epochs", throughput.skipped_epochs);
  read_field(json, "median", throughput.median);
  read_field(json, "mean", throughput.mean);
  read_field(json, "cv", throughput.cv);
  return throughput;
}

}  // namespace convoy
