// What a study needs to know about one run, computed from its record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/base/statistics.h"
#include "convoy/record/run_record.h"
#include "convoy/study/measure/test_accuracy.h"

namespace convoy::study {

// The end of one step, for all ranks together.
struct LossStep {
  double seconds = 0;  // since training began, including evaluations before it
  double samples = 0;  // trained on since then, including those of this step
  double loss = 0;     // mean over the step's samples; NaN when it diverged
};

// All steps from the first on. Empty when the record lacks some of them, because the steps after a gap would be placed
// at wrong times.
[[nodiscard]] std::vector<LossStep> loss_steps(const RunRecord& run);

// How the wall time of a run's steps was spent, as shares that sum to 1: means over ranks, weighted by the length of
// steps.
struct TimeShares {
  double compute = 0;
  double exposed_communication = 0;  // waiting for communication itself, excluding straggler_wait
  double straggler_wait = 0;         // waiting for slower ranks
  double input_wait = 0;             // waiting for the loader
  double other = 0;

  bool operator==(const TimeShares&) const = default;
};

// How reliable the mean step time of one run is, judged by its steps alone.
struct StepSpread {
  double relative_error = 0;  // standard error of the mean divided by the mean
  double freedom = 0;         // number of independent steps, considering autocorrelation, minus one
};

// The end of one epoch. Skipped epochs are included, because training has to go through them.
struct CurvePoint {
  std::int64_t epoch = 0;
  double seconds = 0;     // since the start of the run, including evaluations
  double samples = 0;     // trained on since then
  double train_loss = 0;  // mean over the epoch; NaN when it diverged
  std::optional<double> test_loss;
  std::optional<double> test_top1;            // a share in [0, 1]
  double cpu_use = 0;                         // how many cores were busy; 0 when not known
  std::optional<double> train_accuracy = {};  // as a share, over the epoch, each sample at the step that used it
  std::optional<double> wire_bytes = {};      // sent between machines since the start; absent when not known
};

// Only the losses of a curve may be NaN here.
struct RunMeasures {
  RunStatus status = RunStatus::running;
  std::string reason;  // why it ended; empty when completed
  bool imported = false;
  std::int64_t ranks = 1;
  std::int64_t skipped_epochs = 0;        // how many were left out; at most as many as the run has
  std::vector<double> epoch_throughputs;  // samples per second of each counted epoch, by the slowest worker
  std::vector<double> line_throughputs;   // for an import: the same for each line of its log, see import_run.h
  // For each counted epoch of an import: the mean over its lines divided by the slowest, minus 1.
  std::vector<double> line_excess;
  // All samples divided by all seconds of the counted epochs; absent without any. If only rates are known for an
  // import, its epochs count as equally many samples.
  std::optional<double> throughput;
  std::optional<double> epoch_seconds;    // mean duration of the counted epochs' training part; absent when not known
  std::optional<Summary> step_seconds;    // the slowest rank of each counted step; absent for an import
  std::optional<StepSpread> step_spread;  // absent with too few independent steps
  std::optional<TimeShares> shares;       // of the counted steps; absent for an import
  // Share of communication time hidden behind computing; absent without communication.
  std::optional<double> hidden_share;
  std::optional<double> learning_rate;  // the highest of any step, and so after scaling; absent when not known
  double cpu_use = 0;                   // how many cores were busy in the counted epochs; 0 when not known
  double peak_memory_bytes = 0;         // over all epochs; 0 when not known
  double total_seconds = 0;             // over all sittings (see RunInfo), including evaluations
  std::vector<CurvePoint> curve;        // one point for each finished epoch
  std::vector<LossStep> loss_steps;     // all steps; empty for an import, and if the record lacks some
  std::optional<TestData> test_data;    // of the last evaluation; absent if there was none, and for an import
  std::string disturbance;  // how others used its cores in the counted epochs; empty when nobody did or it is not known
  std::vector<std::string> notes;  // what was unusual, including the record's own notes
};

// The first `skipped_epochs` epochs and their steps do not count; steps of an unfinished last epoch do. If no epoch
// counts, because none was finished or all are skipped, throughput is absent, epoch_throughputs is empty and a note
// says so: a skipped epoch is never counted for lack of others. Needs skipped_epochs >= 0.
[[nodiscard]] RunMeasures measure_run(const RunRecord& run, std::int64_t skipped_epochs);

}  // namespace convoy::study
