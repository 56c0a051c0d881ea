// Results made by hand, for tests of analyses.
#pragma once

#include <string>
#include <vector>

#include "convoy/study/run/study_results.h"

namespace convoy::study {

// A run with this throughput, whose curve has these losses and accuracies, one epoch every `epoch_seconds`. An epoch
// has one step.
inline StudyRun run_with(double throughput, std::vector<double> losses = {}, double epoch_seconds = 1,
                         std::vector<double> accuracies = {}) {
  RunMeasures measures{.status = RunStatus::completed};
  measures.throughput = throughput;
  measures.epoch_throughputs = {throughput, throughput};
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const auto epoch = static_cast<std::int64_t>(i) + 1;
    measures.curve.push_back({.epoch = epoch,
                              .seconds = epoch_seconds * static_cast<double>(epoch),
                              .samples = 100.0 * static_cast<double>(epoch),
                              .train_loss = losses[i]});
    if (i < accuracies.size()) measures.curve.back().test_top1 = accuracies[i];
    measures.loss_steps.push_back({measures.curve.back().seconds, measures.curve.back().samples, losses[i]});
  }
  StudyRun run;
  run.outcome.epochs = static_cast<std::int64_t>(losses.size());
  run.outcome.turnaround_seconds = 10;
  run.measures = measures;
  return run;
}

inline StudyRun failed_run(const std::string& why) {
  StudyRun run;
  run.outcome.exit_code = 4;
  run.trouble = why;
  return run;
}

inline PointResult point_with(Point point, std::vector<StudyRun> runs, bool oversubscribed = false) {
  return {.point = std::move(point), .oversubscribed = oversubscribed, .runs = std::move(runs)};
}

inline StudyRun disturbed_run(double throughput) {
  StudyRun run = run_with(throughput);
  run.measures->disturbance = "others used 1 of 2 cores";
  return run;
}

}  // namespace convoy::study
