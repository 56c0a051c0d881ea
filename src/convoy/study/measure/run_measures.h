// What a study needs to know of one run, computed from its record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/base/statistics.h"
#include "convoy/record/run_record.h"
#include "convoy/study/measure/test_accuracy.h"

namespace convoy::study {

// The end of one step, all ranks together.
struct LossStep {
  double seconds = 0;  // since training began, evaluations before it included
  double samples = 0;  // trained on since then, with those of this step
  double loss = 0;     // mean over the step's samples; NaN when it diverged
};

// Every step from the first one on. Nothing when the record does not have them all: with a hole, what comes after it
// would stand at a wrong time.
[[nodiscard]] std::vector<LossStep> loss_steps(const RunRecord& run);

// Where the wall time of a run's steps went, as shares that sum to 1: means over ranks, a longer step weighs more.
struct TimeShares {
  double compute = 0;
  double exposed_communication = 0;  // waiting for communication itself, without straggler_wait
  double straggler_wait = 0;         // waiting for ranks that came later
  double input_wait = 0;             // waiting for the loader
  double other = 0;

  bool operator==(const TimeShares&) const = default;
};

// How far the mean step of one run can be trusted, by its steps alone.
struct StepSpread {
  double relative_error = 0;  // standard error of the mean over the mean
  double freedom = 0;         // independent steps, with autocorrelation counted, less one
};

// The end of one epoch, skipped epochs included: training has to pass through them.
struct CurvePoint {
  std::int64_t epoch = 0;
  double seconds = 0;     // since the start of the run, evaluations included
  double samples = 0;     // trained on since then
  double train_loss = 0;  // mean over the epoch; NaN when it diverged
  std::optional<double> test_loss;
  std::optional<double> test_top1;            // a share in [0, 1]
  double cpu_use = 0;                         // cores kept busy; 0 when not known
  std::optional<double> train_accuracy = {};  // over the epoch, each sample at the step that used it; a share
  std::optional<double> wire_bytes = {};      // sent between machines since the start; absent when not known
};

// Nothing here is NaN but the losses of a curve.
struct RunMeasures {
  RunStatus status = RunStatus::running;
  std::string reason;  // why it ended; empty when completed
  bool imported = false;
  std::int64_t ranks = 1;
  std::int64_t skipped_epochs = 0;        // that were left out, at most as many as the run has
  std::vector<double> epoch_throughputs;  // samples per second of each counted epoch, by the slowest worker
  std::vector<double> line_throughputs;   // of an import: the same by each line of its log, see import_run.h
  std::vector<double> line_excess;  // of each counted epoch of an import: its lines' mean over the slowest, less 1
  // All samples over all seconds of the counted epochs; absent without any. Where an import knows rates alone, epochs
  // count as equally many samples.
  std::optional<double> throughput;
  std::optional<double> epoch_seconds;    // of the counted epochs' training part, mean; absent when not known
  std::optional<Summary> step_seconds;    // of each counted step the slowest rank; absent for an import
  std::optional<StepSpread> step_spread;  // absent with too few independent steps to tell
  std::optional<TimeShares> shares;       // of the counted steps; absent for an import
  std::optional<double> hidden_share;     // of communication time, behind computing; absent without communication
  std::optional<double> learning_rate;    // the highest of any step, so after scaling; absent when not known
  double cpu_use = 0;                     // cores kept busy over the counted epochs; 0 when not known
  double peak_memory_bytes = 0;           // of all epochs; 0 when not known
  double total_seconds = 0;               // over all sittings, evaluations included
  std::vector<CurvePoint> curve;          // one for each epoch that was finished
  std::vector<LossStep> loss_steps;       // of every step; empty for an import, and where the record lacks some
  std::optional<TestData> test_data;      // of the last evaluation; absent where there was none, and for an import
  std::string disturbance;  // who used its cores during the counted epochs; empty when nobody did, or it is not known
  std::vector<std::string> notes;  // what was unusual, the record's own notes among them
};

// The first `skipped_epochs` epochs do not count, nor do their steps; steps of a last epoch that was not finished do.
// Without a counted epoch, because none was finished or all are skipped, throughput is absent, epoch_throughputs empty
// and a note says so: a skipped epoch is never counted for want of a better one. Needs skipped_epochs >= 0.
[[nodiscard]] RunMeasures measure_run(const RunRecord& run, std::int64_t skipped_epochs);

}  // namespace convoy::study
