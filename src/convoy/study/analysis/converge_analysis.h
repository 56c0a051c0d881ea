// How accuracy grows with epochs and time, and what more workers or more appearances of a sample do to it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/measure/convergence.h"
#include "convoy/study/measure/estimate.h"
#include "convoy/study/measure/test_accuracy.h"

namespace convoy::study {

// How a quantity (final accuracy, epochs to accuracy, cost) changes as workers are added.

// One run. Workers are at least 1, the value is finite.
struct WorkersValue {
  std::int64_t workers = 1;
  double value = 0;
};

struct WorkerTrend {
  Estimate per_doubling;  // what each doubling of the workers adds
  double at_one_worker = 0;
  std::int64_t observations = 0;
  std::int64_t sizes = 0;    // different numbers of workers
  std::int64_t largest = 0;  // of them
  std::string note;          // why there is no interval; empty when there is one

  // For at(): the covariance of both coefficients, and the t value; zero without an interval.
  std::array<double, 3> covariance{};  // of the value at one worker, of it with the slope, of the slope
  double t_value = 0;

  // The line at any number of workers, with the interval of its mean where the slope has one.
  [[nodiscard]] Estimate at(std::int64_t workers) const;

  // Whether the interval lies on one side of zero: the data show a trend.
  [[nodiscard]] bool is_significant() const;
};

// The least-squares line over log2 of the workers, with the Student-t interval of its slope, which needs two
// observations more than the line has parameters. Nothing with fewer than two different numbers of workers.
[[nodiscard]] std::optional<WorkerTrend> worker_trend(std::span<const WorkersValue> values);

// Of the runs of a point at one epoch.
struct MeanAccuracy {
  std::int64_t epoch = 0;
  double seconds = 0;  // mean over runs; 0 when not known
  Summary accuracy;    // over runs
  std::optional<Summary> train_loss;
  double wire_bytes = 0;  // sent between machines until then, mean over runs; 0 when none, or not known
};

struct ConvergePoint {
  Point point;
  std::int64_t workers = 1;  // 0 when an imported log does not say
  bool oversubscribed = false;
  PointStatistics statistics;
  std::vector<MeanAccuracy> curve;        // evaluated epochs that all counted runs have
  PointAccuracy accuracies;               // of the last evaluation that is compared, by run
  std::optional<Summary> final_accuracy;  // the same over runs
  std::optional<Summary> best_accuracy;   // of each run's best evaluation
  std::int64_t stable_runs = 0;           // that became stable
  std::optional<Summary> stable_epochs;   // of those
  std::optional<Summary> stable_level;    // of those: the accuracy that is stable
  std::optional<Summary> stable_seconds;  // of those whose times are known
  std::int64_t target_runs = 0;           // that reached the target
  std::optional<Summary> target_seconds;  // of those whose times are known
  std::optional<Summary> target_epochs;
  // At the evaluation that is compared, where its epoch has a training accuracy.
  std::optional<Summary> train_accuracy;
  std::optional<double> gap;             // training less test accuracy, mean over runs, a share
  std::int64_t judged_runs = 0;          // whose evaluations allow a verdict on overfitting
  std::int64_t overfitted_runs = 0;      // in which it is seen
  std::string overfitting_why;           // of the first run in which it is seen, else of the first run
  std::int64_t global_batch = 0;         // samples of a step over all workers, without instances; 0 when not known
  std::int64_t instances = 1;            // rows of a batch that each sample fills
  std::optional<Summary> epoch_seconds;  // of the training part of an epoch, over runs
  std::optional<Summary> total_seconds;  // of a run, evaluations included
  std::optional<Summary> wire_bytes;     // of a run, sent between machines; absent when none, or not known

  // Whether it took longer than it had to: more threads than cores, or others used them. It learned the same.
  [[nodiscard]] bool has_doubtful_times() const { return oversubscribed || statistics.rests_on_disturbed; }
};

struct ConvergeAnalysis {
  std::vector<ConvergePoint> points;
  // Where runs were evaluated up to different epochs: the last one that all have reached. Final and best accuracies,
  // stability and trends go by evaluations up to there. Absent when all are equally long.
  std::optional<std::int64_t> common_epoch;
  std::optional<AccuracyLead> lead;  // by final accuracy; absent without any
  // Of `points`, those with the smallest mean, which may be several. The target goes by seconds, so points whose times
  // are doubtful take no part; what they learn is not doubtful.
  std::vector<std::size_t> stable_first;
  std::vector<std::size_t> target_first;
  // Against workers, where those vary: over runs. Absent otherwise.
  std::optional<WorkerTrend> accuracy_trend;
  std::optional<WorkerTrend> stable_trend;  // of the epochs to stable accuracy
  std::optional<WorkerTrend> level_trend;   // of the accuracy that is stable
};

[[nodiscard]] ConvergeAnalysis analyse_convergence(const StudyResults& results);

}  // namespace convoy::study
