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
  std::string name;  // from the settings that vary: "batch 64, lr 0.1 (oversubscribed)"
  std::int64_t workers = 1;
  bool oversubscribed = false;
  PointStatistics statistics;
  std::int64_t epochs = 0;  // how many it was trained for; fewer than the study's when it was given up
  bool given_up = false;
  // Means over runs; absent when one of them diverged or failed, and for points that were given up, which ended before
  // the common horizon. Areas are divided by the length they are taken over, so they are mean losses: the order is the
  // same and they are easier to read.
  std::optional<double> loss_by_seconds;
  std::vector<double> losses_by_seconds;  // one per run
  std::optional<double> loss_by_samples;
  std::optional<double> loss_by_cost;  // absent without a price
  std::optional<double> final_loss;    // training loss of the last epoch
  std::optional<double> final_accuracy;
  PointAccuracy accuracies;  // at SweepAnalysis::accuracy_epoch; empty for a point without a rank
  std::string trouble;       // why it has no rank by loss
};

// What the runs say about the first point of a ranking.
struct SweepLead {
  bool repeated = false;   // the first point was run more than once, and so was at least one other
  bool disturbed = false;  // others used the cores while it, or another point, was measured
  // Indices in `ranked` of points whose runs do not differ clearly from the first's; the next best first.
  std::vector<std::size_t> rivals;
  std::optional<Interval> to_second;  // 95 % interval of how much larger the second's loss is, if there are enough runs
  std::string why_none;  // a sentence that says why no winner is named; empty when the first is shown to be best

  // Whether the first may be called the best: it was repeated, and no other could be as good.
  [[nodiscard]] bool is_shown() const { return repeated && rivals.empty(); }
};

struct WorkersSweep;

struct SweepAnalysis {
  // The smallest loss_by_seconds first. Then come the points that were given up, those that came farther first, then by
  // their last loss; and finally those without a loss.
  std::vector<SweepPoint> ranked;
  // The ranges over which losses were compared, the same for all points: up to where the shortest run ends. Absent
  // without losses.
  std::optional<Stretch> seconds;
  std::optional<Stretch> samples;
  std::optional<Stretch> cost;
  // The lead by accuracy among ranked points, at the last epoch at or after which all of them were evaluated.
  std::optional<AccuracyLead> accuracy_lead;  // indices in `ranked`; absent without evaluations
  std::int64_t accuracy_epoch = 0;
  SweepLead lead;  // by loss; indices in `ranked`
  // Indices in `ranked`: the best for each number of workers, in ascending order of workers.
  std::vector<std::size_t> best_for_workers;
  bool by_steps = false;  // all curves consist of steps; otherwise some have only the means of epochs
  // Each number of workers by itself, compared over a range of its own; empty when there is only one number.
  std::vector<WorkersSweep> by_workers;
};

struct WorkersSweep {
  std::int64_t workers = 1;
  StudySpec spec;  // with that number alone
  SweepAnalysis analysis;
};

// Two points differ clearly when the 95 % interval of the difference of their means (estimate.h) does not contain zero.
// A point that was run only once or was disturbed never differs clearly from the first, and no point does from a
// disturbed first.
[[nodiscard]] SweepLead lead_of(const SweepAnalysis& analysis);

// Points without a loss are never the best.
[[nodiscard]] SweepAnalysis analyse_sweep(const StudyResults& results);

}  // namespace convoy::study
