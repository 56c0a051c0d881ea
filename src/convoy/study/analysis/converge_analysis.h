// How accuracy grows with epochs and time, and how more workers or more appearances of a sample affect it.
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

// How a quantity (final accuracy, epochs to stable accuracy, cost) changes as workers are added.

// One run. There is at least 1 worker, and the value is finite.
struct WorkersValue {
  std::int64_t workers = 1;
  double value = 0;
};

struct WorkerTrend {
  Estimate per_doubling;  // how much each doubling of the workers adds
  double at_one_worker = 0;
  std::int64_t observations = 0;
  std::int64_t sizes = 0;    // how many different numbers of workers
  std::int64_t largest = 0;  // the largest number of workers
  std::string note;          // why there is no interval; empty when there is one

  // For at(): the covariance of both coefficients and the t value; zero without an interval.
  // Variance of the value at one worker, covariance of it and the slope, variance of the slope.
  std::array<double, 3> covariance{};
  double t_value = 0;

  // The value of the line at any number of workers, with the interval of its mean if the slope has one.
  [[nodiscard]] Estimate at(std::int64_t workers) const;

  // Whether the interval does not contain zero, so that the data show a trend.
  [[nodiscard]] bool is_significant() const;
};

// The least-squares line over log2 of the workers, with the Student-t interval of its slope, for which there must be at
// least two observations more than the line has parameters. No value with fewer than two different numbers of workers.
[[nodiscard]] std::optional<WorkerTrend> worker_trend(std::span<const WorkersValue> values);

// The runs of a point at one epoch.
struct MeanAccuracy {
  std::int64_t epoch = 0;
  double seconds = 0;  // mean over runs; 0 when not known
  Summary accuracy;    // over runs
  std::optional<Summary> train_accuracy;
  std::optional<Summary> train_loss;
  std::optional<Summary> test_loss;
  double wire_bytes = 0;  // sent between machines until then, mean over runs; 0 when none or not known
};

struct ConvergePoint {
  Point point;
  std::int64_t workers = 1;  // 0 when an imported log does not say
  bool oversubscribed = false;
  PointStatistics statistics;
  std::vector<MeanAccuracy> curve;        // evaluated epochs that all counted runs have
  PointAccuracy accuracies;               // of each run, at the last evaluation that is compared
  std::optional<Summary> final_accuracy;  // the summary of these
  std::optional<Summary> best_accuracy;   // over the best evaluations of the runs
  std::int64_t stable_runs = 0;           // how many runs became stable
  std::optional<Summary> stable_epochs;   // of these runs
  std::optional<Summary> stable_level;    // of these runs: the accuracy at which they are stable
  std::optional<Summary> stable_seconds;  // of these runs, if their times are known
  std::int64_t target_runs = 0;           // how many runs reached the target
  std::optional<Summary> target_seconds;  // of these runs, if their times are known
  std::optional<Summary> target_epochs;
  // At the evaluation that is compared, if its epoch has a training accuracy.
  std::optional<Summary> train_accuracy;
  std::optional<double> gap;         // training accuracy minus test accuracy, as a share, mean over runs
  std::int64_t judged_runs = 0;      // how many runs have enough evaluations for a verdict on overfitting
  std::int64_t overfitted_runs = 0;  // in how many of them it is seen
  std::string overfitting_why;       // the reason for the first run in which it is seen, otherwise for the first run
  std::int64_t global_batch = 0;     // samples of a step over all workers, without instances; 0 when not known
  std::int64_t instances = 1;        // how many rows of a batch each sample fills
  std::optional<Summary> epoch_seconds;  // the training part of an epoch, over runs
  std::optional<Summary> total_seconds;  // of a whole run, including evaluations
  std::optional<Summary> wire_bytes;     // sent between machines in a whole run; absent when none or not known

  // Whether it took longer than necessary: there were more threads than cores, or others used the cores. What was
  // learned is not affected.
  [[nodiscard]] bool has_doubtful_times() const { return oversubscribed || statistics.rests_on_disturbed; }
};

struct ConvergeAnalysis {
  std::vector<ConvergePoint> points;
  // The last epoch that all runs have reached, if they were evaluated up to different epochs. Final and best
  // accuracies, stability and trends use evaluations up to there. Absent when all runs are equally long.
  std::optional<std::int64_t> common_epoch;
  std::optional<AccuracyLead> lead;  // by final accuracy; absent when there is none
  // The indices of the points with the smallest mean; there may be several. Reaching the target is measured in seconds,
  // so points with doubtful times are left out there; what they learn is not doubtful.
  std::vector<std::size_t> stable_first;
  std::vector<std::size_t> target_first;
  // Trends over the number of workers, if that varies, with runs as observations; otherwise absent.
  std::optional<WorkerTrend> accuracy_trend;
  std::optional<WorkerTrend> stable_trend;  // epochs until accuracy is stable
  std::optional<WorkerTrend> level_trend;   // the accuracy at which it is stable
};

[[nodiscard]] ConvergeAnalysis analyse_convergence(const StudyResults& results);

}  // namespace convoy::study
