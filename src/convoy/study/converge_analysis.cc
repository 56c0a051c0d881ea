#include "convoy/study/converge_analysis.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace convoy::study {
namespace {

// What one run contributes.
struct RunConvergence {
  std::vector<AccuracyPoint> curve;
  std::optional<StableAccuracy> stable;
  std::optional<AccuracyPoint> target;
};

RunConvergence converge(const RunMeasures& measures, const StudySpec& spec) {
  RunConvergence run{.curve = accuracy_curve(measures)};
  run.stable = stable_accuracy(run.curve, spec.stable_within);
  if (spec.target_accuracy > 0) run.target = first_at_accuracy(run.curve, spec.target_accuracy);
  return run;
}

std::optional<Summary> summary_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(summarize(values));
}

std::vector<MeanAccuracy> mean_curve(const PointResult& result, const std::vector<RunConvergence>& runs) {
  struct Collected {
    std::vector<double> seconds, accuracy, loss;
  };
  std::map<std::int64_t, Collected> epochs;
  for (const RunConvergence& run : runs) {
    for (const AccuracyPoint& point : run.curve) {
      epochs[point.epoch].seconds.push_back(point.seconds);
      epochs[point.epoch].accuracy.push_back(point.accuracy);
    }
  }
  for (const StudyRun& run : result.runs) {
    if (!run.counts()) continue;
    for (const CurvePoint& point : run.measures->curve) {
      if (std::isfinite(point.train_loss) && epochs.contains(point.epoch)) {
        epochs[point.epoch].loss.push_back(point.train_loss);
      }
    }
  }
  std::vector<MeanAccuracy> curve;
  for (const auto& [epoch, values] : epochs) {
    if (values.accuracy.size() != runs.size()) continue;
    curve.push_back({epoch, mean(values.seconds), summarize(values.accuracy), summary_of(values.loss)});
  }
  return curve;
}

void add_moments(ConvergePoint& point, const std::vector<RunConvergence>& runs) {
  std::vector<double> last, best, stable_epochs, stable_seconds, target_epochs, target_seconds;
  for (const RunConvergence& run : runs) {
    if (!run.curve.empty()) {
      last.push_back(run.curve.back().accuracy);
      best.push_back(std::ranges::max(run.curve, {}, &AccuracyPoint::accuracy).accuracy);
    }
    if (run.stable) {
      stable_epochs.push_back(static_cast<double>(run.stable->epoch));
      stable_seconds.push_back(run.stable->seconds);
    }
    if (run.target) {
      target_epochs.push_back(static_cast<double>(run.target->epoch));
      target_seconds.push_back(run.target->seconds);
    }
  }
  point.final_accuracy = summary_of(last);
  point.best_accuracy = summary_of(best);
  point.stable_runs = static_cast<std::int64_t>(stable_epochs.size());
  point.stable_epochs = summary_of(stable_epochs);
  point.stable_seconds = summary_of(stable_seconds);
  point.target_runs = static_cast<std::int64_t>(target_epochs.size());
  point.target_epochs = summary_of(target_epochs);
  point.target_seconds = summary_of(target_seconds);
}

}  // namespace

ConvergeAnalysis analyse_convergence(const StudyResults& results) {
  ConvergeAnalysis analysis;
  std::vector<WorkersValue> accuracies;
  std::vector<WorkersValue> stable;
  for (const PointResult& result : results.points) {
    ConvergePoint point{.point = result.point,
                        .workers = number_at(results.spec, result.point, "workers", 1),
                        .oversubscribed = result.oversubscribed,
                        .statistics = statistics_of(results, result)};
    std::vector<RunConvergence> runs;
    for (const StudyRun& run : result.runs) {
      if (!run.counts()) continue;
      runs.push_back(converge(*run.measures, results.spec));
      if (const auto last = final_accuracy(runs.back().curve)) accuracies.push_back({point.workers, *last});
      if (runs.back().stable) stable.push_back({point.workers, static_cast<double>(runs.back().stable->epoch)});
    }
    point.curve = mean_curve(result, runs);
    add_moments(point, runs);
    analysis.points.push_back(std::move(point));
  }
  analysis.accuracy_trend = worker_trend(accuracies);
  analysis.stable_trend = worker_trend(stable);
  return analysis;
}

}  // namespace convoy::study
