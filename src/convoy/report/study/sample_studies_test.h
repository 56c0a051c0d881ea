// Studies as if read from their folders, with numbers that are easy to check by hand.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "convoy/study/run/study_results.h"

namespace convoy::report {

// The measurements of a run, for the functions below.
struct SampleRun {
  double throughput = 100;
  double step_seconds = 0.5;
  study::TimeShares shares = {
      .compute = 0.9, .exposed_communication = 0.05, .straggler_wait = 0.02, .input_wait = 0.01, .other = 0.02};
  double turnaround_seconds = 360;
};

inline study::StudyRun sample_run(const study::Point& point, int repeat, std::int64_t workers, const SampleRun& run) {
  study::RunMeasures measures;
  measures.status = RunStatus::completed;
  measures.ranks = workers;
  measures.skipped_epochs = 1;
  measures.throughput = run.throughput;
  measures.epoch_throughputs = {run.throughput - 1, run.throughput + 1};
  measures.step_seconds = summarize(std::vector{run.step_seconds});
  measures.shares = run.shares;
  measures.cpu_use = static_cast<double>(workers);
  measures.peak_memory_bytes = 64.0 * 1024 * 1024;
  measures.total_seconds = run.turnaround_seconds - 10;
  for (std::int64_t epoch = 1; epoch <= 3; ++epoch) {
    measures.curve.push_back({.epoch = epoch,
                              .seconds = 100.0 * static_cast<double>(epoch),
                              .samples = 1000.0 * static_cast<double>(epoch),
                              .train_loss = 2.0 / static_cast<double>(epoch),
                              .test_loss = {},
                              .test_top1 = {},
                              .cpu_use = 0.9 * static_cast<double>(workers)});
  }
  const study::PlannedRun planned{.id = study::point_text(point), .point = point, .repeat = repeat};
  return {.outcome = {.run = planned, .epochs = 3, .turnaround_seconds = run.turnaround_seconds},
          .measures = std::move(measures),
          .trouble = {}};
}

inline study::StudyRun failed_run(const study::Point& point, int repeat, const std::string& trouble) {
  const study::PlannedRun planned{.id = study::point_text(point) + " (failed)", .point = point, .repeat = repeat};
  return {
      .outcome = {.run = planned, .epochs = 3, .exit_code = 5, .message = trouble}, .measures = {}, .trouble = trouble};
}

// Sets the counts and notes that read_results would set.
inline void count_runs(study::StudyResults& results) {
  results.ended_runs = results.failed_runs = 0;
  for (const study::PointResult& point : results.points) {
    for (const study::StudyRun& run : point.runs) {
      ++results.ended_runs;
      if (run.counts()) continue;
      ++results.failed_runs;
      results.notes.push_back(run.outcome.run.id + " failed: " + run.trouble);
    }
  }
  results.planned_runs = results.ended_runs;
}

inline RunInfo sample_info() {
  RunInfo info;
  info.hosts = {
      {.name = "node1", .cpu_model = "Test CPU", .usable_cores = 4, .memory_bytes = 8LL << 30, .hardware_threads = 8},
      {.name = "node2", .cpu_model = "Test CPU", .usable_cores = 1, .memory_bytes = 8LL << 30, .hardware_threads = 8}};
  info.libraries = {{"oneDNN", "2.6.3"}};
  info.build = {.version = "0.3.0", .git_id = "abc1234", .build_type = "Release", .compiler = "GNU 12.2.0"};
  info.started = "2026-11-16T03:12:45Z";
  return info;
}

inline study::StudyResults empty_study(study::StudyKind kind) {
  study::StudyResults results;
  results.folder = "study";
  results.spec.kind = kind;
  results.spec.settings = {{"model", "resnet20"}, {"data", "cifar10"}, {"epochs", "3"}};
  results.spec.command = {"convoy", "study", "scale", "--model", "resnet20", "--name", "two words"};
  results.spec.cores = 4;
  results.info = sample_info();
  return results;
}

// Weak and strong scaling with two all-reduces over 1, 2, 4 and (oversubscribed) 8 workers, two repeats, a price. One
// run of strong ring at 2 workers failed, and both of weak ring at 4.
//
//   throughput   1: 99, 101   strong ring 2: 190          4: 339, 341   8: 300, 302
//                             strong mpi  2: 180, 200     4: 300, 302   8: 290, 292
//                             weak ring   2: 195, 197     4: failed     8: 310, 312
//                             weak mpi    2: 192, 194     4: 370, 372   8: 305, 307
inline study::StudyResults scale_study() {
  study::StudyResults results = empty_study(study::StudyKind::scale);
  results.spec.settings["batch"] = "64";
  results.spec.settings["threads"] = "1";
  results.spec.axes = {
      {"workers", {"1", "2", "4", "8"}}, {"scaling", {"strong", "weak"}}, {"allreduce", {"ring", "mpi"}}};
  results.spec.repeats = 2;
  results.spec.price = 0.5;
  const auto add = [&](study::Point point, const std::vector<double>& throughputs, double exposed) {
    const std::int64_t workers = std::stoll(point.at("workers"));
    study::PointResult result{.point = point, .oversubscribed = workers > 4, .runs = {}};
    for (const double throughput : throughputs) {
      const bool is_weak = point.contains("scaling") && point.at("scaling") == "weak";
      const double batch = is_weak ? 64.0 * static_cast<double>(workers) : 64;
      SampleRun run{.throughput = throughput, .step_seconds = batch / throughput};
      run.shares.exposed_communication = exposed;
      run.shares.compute = 0.95 - exposed;
      run.turnaround_seconds = 36000 / throughput;
      result.runs.push_back(sample_run(point, static_cast<int>(result.runs.size()) + 1, workers, run));
    }
    results.points.push_back(std::move(result));
  };
  const auto at = [](const char* workers, const char* scaling, const char* all_reduce) {
    return study::Point{{"workers", workers}, {"scaling", scaling}, {"allreduce", all_reduce}};
  };
  add({{"workers", "1"}}, {99, 101}, 0);
  add(at("2", "strong", "ring"), {190}, 0.04);
  results.points.back().runs.push_back(failed_run(results.points.back().point, 2, "rank 1 on node2 was lost"));
  add(at("4", "strong", "ring"), {339, 341}, 0.12);
  add(at("8", "strong", "ring"), {300, 302}, 0.3);
  add(at("2", "strong", "mpi"), {180, 200}, 0.05);
  add(at("4", "strong", "mpi"), {300, 302}, 0.2);
  add(at("8", "strong", "mpi"), {290, 292}, 0.3);
  add(at("2", "weak", "ring"), {195, 197}, 0.02);
  add(at("4", "weak", "ring"), {}, 0);
  results.points.back().runs = {failed_run(results.points.back().point, 1, "no space left"),
                                failed_run(results.points.back().point, 2, "no space left")};
  add(at("8", "weak", "ring"), {310, 312}, 0.2);
  add(at("2", "weak", "mpi"), {192, 194}, 0.02);
  add(at("4", "weak", "mpi"), {370, 372}, 0.04);
  add(at("8", "weak", "mpi"), {305, 307}, 0.2);
  count_runs(results);
  return results;
}

// One run each at 1 and 2 workers, without a price: no spread and no universal law.
inline study::StudyResults single_repeat_study() {
  study::StudyResults results = empty_study(study::StudyKind::scale);
  results.spec.settings["batch"] = "64";
  results.spec.axes = {{"workers", {"1", "2"}}};
  for (const auto& [workers, throughput] : {std::pair{1, 100.0}, {2, 193.0}}) {
    const study::Point point = {{"workers", std::to_string(workers)}};
    results.points.push_back({.point = point, .runs = {sample_run(point, 1, workers, {.throughput = throughput})}});
  }
  count_runs(results);
  return results;
}

// Batches 16, 32, 64 with throughputs 50, 98, 100 (+-1): 32 is the smallest within 5 %.
inline study::StudyResults batch_study() {
  study::StudyResults results = empty_study(study::StudyKind::batch);
  results.spec.axes = {{"batch", {"16", "32", "64"}}};
  results.spec.repeats = 3;
  for (const auto& [batch, throughput] : {std::pair{16, 50.0}, {32, 98.0}, {64, 100.0}}) {
    const study::Point point = {{"batch", std::to_string(batch)}};
    study::PointResult result{.point = point, .runs = {}};
    for (const int repeat : {1, 2, 3}) {
      result.runs.push_back(sample_run(point, repeat, 1, {.throughput = throughput + 0.1 * (repeat - 2)}));
    }
    results.points.push_back(std::move(result));
  }
  count_runs(results);
  return results;
}

// Gives a run a curve of losses. Each epoch has one step of that many seconds and 1000 samples.
inline void set_curve(study::StudyRun& run, const std::vector<double>& losses, double seconds_of_epoch,
                      const std::vector<double>& accuracies = {}) {
  run.measures->curve.clear();
  run.measures->loss_steps.clear();
  for (std::size_t i = 0; i < losses.size(); ++i) {
    study::CurvePoint& point = run.measures->curve.emplace_back();
    point.epoch = static_cast<std::int64_t>(i) + 1;
    point.seconds = seconds_of_epoch * static_cast<double>(i + 1);
    point.samples = 1000.0 * static_cast<double>(i + 1);
    point.train_loss = losses[i];
    if (i < accuracies.size()) point.test_top1 = accuracies[i];
    run.measures->loss_steps.push_back({point.seconds, point.samples, losses[i]});
  }
}

// batch {32, 64} x lr {0.1, 1} x workers {1, 2}. Batch 64, lr 1, workers 2 diverged; batch 32, lr 1 was given up after
// one epoch. The best is batch 32, lr 0.1, workers 2 with a mean loss of 1.
inline study::StudyResults sweep_study() {
  study::StudyResults results = empty_study(study::StudyKind::sweep);
  results.spec.axes = {{"batch", {"32", "64"}}, {"lr", {"0.1", "1"}}, {"workers", {"1", "2"}}};
  results.spec.halving = study::HalvingSpec{.first_epochs = 1, .eta = 2};
  results.spec.price = 0.5;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto add = [&](study::Point point, const std::vector<double>& losses, double accuracy) {
    study::StudyRun run = sample_run(point, 1, std::stoll(point.at("workers")), {});
    set_curve(run, losses, 10, std::vector<double>(losses.size(), accuracy));
    run.outcome.epochs = static_cast<std::int64_t>(losses.size());
    results.points.push_back({.point = std::move(point), .runs = {std::move(run)}});
  };
  const auto at = [](const char* batch, const char* rate, const char* workers) {
    return study::Point{{"batch", batch}, {"lr", rate}, {"workers", workers}};
  };
  add(at("32", "0.1", "1"), {2, 2}, 0.5);
  add(at("32", "0.1", "2"), {1, 1}, 0.6);
  add(at("32", "1", "1"), {3}, 0.2);
  add(at("32", "1", "2"), {4}, 0.1);
  add(at("64", "0.1", "1"), {1.5, 1.5}, 0.7);
  add(at("64", "0.1", "2"), {1.25, 1.25}, 0.65);
  add(at("64", "1", "1"), {2.5, 2.5}, 0.3);
  add(at("64", "1", "2"), {5, nan}, 0.1);
  results.points.back().runs.front().outcome.exit_code = 4;
  results.points.back().runs.front().trouble = "diverged: loss is NaN at step 12";
  count_runs(results);
  return results;
}

// 1, 2 and 8 (oversubscribed) workers, two seeds each. Final accuracies 0.90 and 0.92, 0.86 and 0.88, 0.70 and 0.72;
// the first two reach the target of 80 % after 20 s and 10 s.
inline study::StudyResults converge_study() {
  study::StudyResults results = empty_study(study::StudyKind::converge);
  results.spec.axes = {{"workers", {"1", "2", "8"}}};
  results.spec.repeats = 2;
  results.spec.target_accuracy = 0.8;
  const auto add = [&](int workers, double seconds, double last) {
    const study::Point point = {{"workers", std::to_string(workers)}};
    study::PointResult result{.point = point, .oversubscribed = workers > 4, .runs = {}};
    for (const int repeat : {1, 2}) {
      const double end = last + 0.02 * (repeat - 1);
      study::StudyRun run = sample_run(point, repeat, workers, {.throughput = 100.0 * workers});
      set_curve(run, {2, 1, 0.5, 0.5, 0.5}, seconds, {0.5, end, end, end, end});
      result.runs.push_back(std::move(run));
    }
    results.points.push_back(std::move(result));
  };
  add(1, 10, 0.90);
  add(2, 5, 0.86);
  add(8, 8, 0.70);
  count_runs(results);
  return results;
}

// Logs of 1 and 2 workers. The second has two lines for each epoch: 180 samples/s by the slowest worker, 190 over
// lines.
inline study::StudyResults import_study() {
  study::StudyResults results = empty_study(study::StudyKind::imported);
  results.spec.settings = {{"model", "alexnet"}};
  results.spec.skipped_epochs = 0;
  for (const auto& [workers, throughput] : {std::pair{1, 100.0}, {2, 180.0}}) {
    const study::Point point = {{"workers", std::to_string(workers)}};
    study::StudyRun run = sample_run(point, 1, workers, {.throughput = throughput, .turnaround_seconds = 0});
    run.measures->imported = true;
    run.measures->shares.reset();
    run.measures->step_seconds.reset();
    run.measures->cpu_use = 0;
    run.measures->skipped_epochs = 0;
    for (study::CurvePoint& epoch : run.measures->curve) epoch.cpu_use = 0;
    if (workers == 2) run.measures->line_throughputs = {180, 200, 179, 201};
    if (workers == 2) run.measures->line_excess = {0.05, 0.06};
    results.points.push_back({.point = point, .runs = {std::move(run)}});
  }
  results.notes = {"workers-2.run-1: 3 lines were passed over"};
  count_runs(results);
  return results;
}

}  // namespace convoy::report
