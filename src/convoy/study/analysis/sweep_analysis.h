// Which settings learn fastest: the points of a sweep, ranked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/measure/estimate.h"
#include "convoy/study/measure/loss_area.h"
#include "convoy/study/measure/test_accuracy.h"

namespace convoy::study {

struct SweepPoint {
  Point point;
  std::string name;  // by the settings that vary: "batch 64, lr 0.1 (oversubscribed)"
  std::int64_t workers = 1;
  bool oversubscribed = false;
  PointStatistics statistics;
  std::int64_t epochs = 0;  // trained; fewer than the study's when it was given up
  bool given_up = false;
  // Means over runs; absent when one of them diverged or failed, and for points that were given up, which ended before
  // the common horizon. Areas are divided by the length they were taken over, which makes them mean losses: the order
  // is the same, and they are easier to read.
  std::optional<double> loss_by_seconds;
  std::vector<double> losses_by_seconds;  // of its runs
  std::optional<double> loss_by_samples;
  std::optional<double> loss_by_cost;  // absent without a price
  std::optional<double> final_loss;    // training loss of the last epoch
  std::optional<double> final_accuracy;
  PointAccuracy accuracies;  // at SweepAnalysis::accuracy_epoch; empty without a rank
  std::string trouble;       // why it has no rank by loss
};

// What the runs say about the first of a ranking.
struct SweepLead {
  bool repeated = false;              // the first was run more than once, and so was some other
  bool disturbed = false;             // others used the cores while it, or another, was measured
  std::vector<std::size_t> rivals;    // of `ranked`: not told apart from it by their runs; the next best first
  std::optional<Interval> to_second;  // 95 % interval of how much larger the second's loss is, where runs tell
  std::string why_none;               // why no winner is named, in a sentence; empty when the first is shown to be best

  // Whether it may be called the best: there are others, and none of them could as well be.
  [[nodiscard]] bool is_shown() const { return repeated && rivals.empty(); }
};

struct WorkersSweep;

struct SweepAnalysis {
  // The smallest loss_by_seconds first. Then come those that were given up, the later ones first and then by their last
  // loss, and then those that have no loss.
  std::vector<SweepPoint> ranked;
  // What losses were compared on, the same for all points: up to where the shortest run ends. Absent without any.
  std::optional<Stretch> seconds;
  std::optional<Stretch> samples;
  std::optional<Stretch> cost;
  // By accuracy, of those with a rank, at the last epoch that all of them were evaluated at or after.
  std::optional<AccuracyLead> accuracy_lead;  // of `ranked`; absent without evaluations
  std::int64_t accuracy_epoch = 0;
  SweepLead lead;                             // of `ranked`, by loss
  std::vector<std::size_t> best_for_workers;  // of `ranked`: the best for each number of workers, by workers
  bool by_steps = false;  // all curves are made of steps; otherwise some have the means of epochs only
  // Each number of workers by itself, compared on a stretch of its own; empty when there is one only.
  std::vector<WorkersSweep> by_workers;
};

struct WorkersSweep {
  std::int64_t workers = 1;
  StudySpec spec;  // with that number alone
  SweepAnalysis analysis;
};

// Two points are told apart when the 95 % interval of the difference of their means (estimate.h) does not hold zero.
// A point that was run once, or was disturbed, is never told apart from the first, nor is any from a disturbed first.
[[nodiscard]] SweepLead lead_of(const SweepAnalysis& analysis);

// Points without a loss are no one's best.
[[nodiscard]] SweepAnalysis analyse_sweep(const StudyResults& results);

}  // namespace convoy::study
