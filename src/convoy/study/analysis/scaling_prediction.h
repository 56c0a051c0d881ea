// What a fitted law of scaling says of twice the largest size that was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "convoy/study/analysis/scaling_fit.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::study {

struct ScaleSeries;

struct ScalingPrediction {
  std::int64_t size = 0;
  Estimate throughput;  // of the law's mean
  double speed_up = 0;  // over what the law says of the base
  double efficiency = 0;
};

struct PredictionResult {
  std::optional<ScalingPrediction> prediction;
  std::string reason;  // why a fitted law is not asked; empty where it is, and without a fit
};

// None where that size was measured, and where the interval is too wide to say anything: its upper end more than twice
// the lower one.
[[nodiscard]] PredictionResult predict_beyond(const ScaleSeries& series, const ScalingFitResult& law);

}  // namespace convoy::study
