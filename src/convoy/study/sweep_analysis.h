// Which settings learn fastest: the points of a sweep, ranked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/study/loss_area.h"
#include "convoy/study/point_statistics.h"

namespace convoy::study {

struct SweepPoint {
  Point point;
  std::int64_t workers = 1;
  bool oversubscribed = false;
  PointStatistics statistics;
  std::int64_t epochs = 0;  // trained; fewer than the study's when it was given up
  bool given_up = false;
  // Means over runs; absent when one of them diverged or failed. Areas are divided by their horizon, which makes them
  // mean losses: on the common horizon the order is the same, and they are easier to read.
  std::optional<double> loss_by_seconds;
  std::optional<double> loss_by_samples;
  std::optional<double> loss_by_cost;  // absent without a price
  std::optional<double> final_loss;    // training loss of the last epoch
  std::optional<double> final_accuracy;
  std::string trouble;  // why it has no rank by loss
};

struct SweepAnalysis {
  // The smallest loss_by_seconds first. Points that were given up come after those that were not, the later ones first,
  // and are compared among themselves; then come those without a value.
  std::vector<SweepPoint> ranked;
  // Of those that were not given up: where the shortest run ends.
  std::optional<double> horizon_seconds;
  std::optional<double> horizon_samples;
  std::optional<double> horizon_cost;
};

[[nodiscard]] SweepAnalysis analyse_sweep(const StudyResults& results);

// Indices into `ranked` of the best point for each number of workers, by workers. Points without a value are no one's
// best.
[[nodiscard]] std::vector<std::size_t> best_for_workers(const SweepAnalysis& analysis);

}  // namespace convoy::study
