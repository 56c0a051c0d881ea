#include "convoy/study/analysis/converge_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "convoy/base/check.h"
#include "convoy/base/least_squares.h"
#include "convoy/base/statistics.h"
#include "convoy/study/measure/overfitting.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::study {
namespace {

constexpr std::int64_t kSpareForInterval = 2;

}  // namespace

bool WorkerTrend::is_significant() const {
  const auto& interval = per_doubling.interval_95;
  return interval && (interval->low > 0 || interval->high < 0);
}

Estimate WorkerTrend::at(std::int64_t workers) const {
  const double doublings = std::log2(static_cast<double>(workers));
  Estimate estimate{.value = at_one_worker + doublings * per_doubling.value, .interval_95 = {}};
  if (!per_doubling.interval_95) return estimate;
  const double variance = covariance[0] + 2 * doublings * covariance[1] + doublings * doublings * covariance[2];
  const double half = t_value * std::sqrt(std::max(0.0, variance));
  estimate.interval_95 = Interval{estimate.value - half, estimate.value + half};
  return estimate;
}

std::optional<WorkerTrend> worker_trend(std::span<const WorkersValue> values) {
  std::vector<std::vector<double>> columns(2);
  std::vector<double> heights;
  for (const WorkersValue& value : values) {
    CONVOY_CHECK(value.workers >= 1);
    CONVOY_CHECK(std::isfinite(value.value));
    columns[0].push_back(1);
    columns[1].push_back(std::log2(static_cast<double>(value.workers)));
    heights.push_back(value.value);
  }
  const auto line = fit_linear(columns, heights);
  if (!line) return std::nullopt;

  WorkerTrend trend;
  trend.at_one_worker = line->coefficients[0];
  trend.per_doubling.value = line->coefficients[1];
  trend.observations = std::ssize(values);
  std::set<std::int64_t> sizes;
  for (const WorkersValue& value : values) sizes.insert(value.workers);
  trend.sizes = std::ssize(sizes);
  trend.largest = *sizes.rbegin();
  if (line->spare < kSpareForInterval) {
    trend.note = fmt::format("no interval: {} observations, at least {} are needed", values.size(),
                             columns.size() + static_cast<std::size_t>(kSpareForInterval));
    return trend;
  }
  trend.t_value = t_value(0.95, static_cast<double>(line->spare));
  trend.covariance = {line->covariance(0, 0), line->covariance(0, 1), line->covariance(1, 1)};
  const double half = trend.t_value * std::sqrt(line->covariance(1, 1));
  trend.per_doubling.interval_95 = Interval{trend.per_doubling.value - half, trend.per_doubling.value + half};
  return trend;
}

namespace {

// What one run contributes. Curves are compared only up to where the shortest run ends; whether a run reached the
// target is judged by its whole curve.
struct RunConvergence {
  std::vector<AccuracyPoint> whole;
  std::vector<AccuracyPoint> curve;
  std::optional<StableAccuracy> stable;
  std::optional<AccuracyPoint> target;
};

bool is_above_chance(double accuracy, const std::optional<TestData>& data) {
  return !data || accuracy > chance_limit(*data);
}

RunConvergence converge(const RunMeasures& measures, const StudySpec& spec, std::int64_t last_epoch) {
  RunConvergence run{.whole = accuracy_curve(measures)};
  run.curve = up_to_epoch(run.whole, last_epoch);
  run.stable = stable_accuracy(run.curve, spec.stable_within);
  // An accuracy that never rises above chance is stable too, but does not count.
  if (run.stable && !is_above_chance(run.stable->level, measures.test_data)) run.stable.reset();
  if (spec.target_accuracy > 0) run.target = first_at_accuracy(run.whole, spec.target_accuracy);
  return run;
}

// The smallest and largest of the epochs at which runs were last evaluated. No value without evaluations.
struct LastEpochs {
  std::int64_t least;
  std::int64_t most;
};

std::optional<LastEpochs> last_epochs(const StudyResults& results) {
  std::optional<LastEpochs> last;
  for (const PointResult& point : results.points) {
    for (const StudyRun& run : point.runs) {
      const auto curve = run.counts() ? accuracy_curve(*run.measures) : std::vector<AccuracyPoint>();
      if (curve.empty()) continue;
      if (!last) last = LastEpochs{curve.back().epoch, curve.back().epoch};
      last->least = std::min(last->least, curve.back().epoch);
      last->most = std::max(last->most, curve.back().epoch);
    }
  }
  return last;
}

std::optional<Summary> summary_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(summarize(values));
}

std::vector<MeanAccuracy> mean_curve(const PointResult& result, const std::vector<RunConvergence>& runs) {
  struct Collected {
    std::vector<double> seconds, accuracy, train_accuracy, train_loss, test_loss, bytes;
  };
  std::map<std::int64_t, Collected> epochs;
  for (const RunConvergence& run : runs) {
    for (const AccuracyPoint& point : run.whole) {
      epochs[point.epoch].seconds.push_back(point.seconds);
      epochs[point.epoch].accuracy.push_back(point.accuracy);
    }
  }
  for (const StudyRun& run : result.runs) {
    if (!run.counts()) continue;
    for (const CurvePoint& point : run.measures->curve) {
      const auto found = epochs.find(point.epoch);
      if (found == epochs.end()) continue;
      Collected& values = found->second;
      if (point.train_accuracy) values.train_accuracy.push_back(*point.train_accuracy);
      if (std::isfinite(point.train_loss)) values.train_loss.push_back(point.train_loss);
      if (point.test_loss && std::isfinite(*point.test_loss)) values.test_loss.push_back(*point.test_loss);
      if (point.wire_bytes) values.bytes.push_back(*point.wire_bytes);
    }
  }
  std::vector<MeanAccuracy> curve;
  for (const auto& [epoch, values] : epochs) {
    if (values.accuracy.size() != runs.size()) continue;
    const bool knows_bytes = values.bytes.size() == runs.size();
    curve.push_back({.epoch = epoch,
                     .seconds = mean(values.seconds),
                     .accuracy = summarize(values.accuracy),
                     .train_accuracy = summary_of(values.train_accuracy),
                     .train_loss = summary_of(values.train_loss),
                     .test_loss = summary_of(values.test_loss),
                     .wire_bytes = knows_bytes ? mean(values.bytes) : 0});
  }
  return curve;
}

void add_moments(ConvergePoint& point, const std::vector<RunConvergence>& runs) {
  std::vector<double> best, stable_epochs, stable_levels, stable_seconds, target_epochs, target_seconds;
  for (const RunConvergence& run : runs) {
    if (!run.curve.empty()) {
      point.accuracies.runs.push_back(run.curve.back().accuracy);
      best.push_back(std::ranges::max(run.curve, {}, &AccuracyPoint::accuracy).accuracy);
    }
    if (run.stable) {
      stable_epochs.push_back(static_cast<double>(run.stable->epoch));
      stable_levels.push_back(run.stable->level);
      if (run.stable->seconds > 0) stable_seconds.push_back(run.stable->seconds);
    }
    if (run.target) {
      target_epochs.push_back(static_cast<double>(run.target->epoch));
      if (run.target->seconds > 0) target_seconds.push_back(run.target->seconds);
    }
  }
  point.final_accuracy = summary_of(point.accuracies.runs);
  point.best_accuracy = summary_of(best);
  point.stable_runs = static_cast<std::int64_t>(stable_epochs.size());
  point.stable_epochs = summary_of(stable_epochs);
  point.stable_level = summary_of(stable_levels);
  point.stable_seconds = summary_of(stable_seconds);
  point.target_runs = static_cast<std::int64_t>(target_epochs.size());
  point.target_epochs = summary_of(target_epochs);
  point.target_seconds = summary_of(target_seconds);
}

std::optional<double> train_accuracy_at(const RunMeasures& measures, std::int64_t epoch) {
  const auto found = std::ranges::find(measures.curve, epoch, &CurvePoint::epoch);
  return found == measures.curve.end() ? std::nullopt : found->train_accuracy;
}

void judge_run(const RunMeasures& measures, ConvergePoint& point) {
  const OverfittingVerdict verdict = judge_overfitting(measures.curve);
  const bool is_seen = verdict.overfitting == Overfitting::seen;
  if (point.overfitting_why.empty() || (is_seen && point.overfitted_runs == 0)) point.overfitting_why = verdict.why;
  point.judged_runs += verdict.overfitting == Overfitting::unknown ? 0 : 1;
  point.overfitted_runs += is_seen ? 1 : 0;
}

void add_learning(ConvergePoint& point, const PointResult& result, const std::vector<RunConvergence>& runs) {
  std::vector<double> train, gaps, epoch_seconds, total_seconds, bytes;
  std::size_t place = 0;
  for (const StudyRun& run : result.runs) {
    if (!run.counts()) continue;
    const std::vector<AccuracyPoint>& curve = runs[place++].curve;
    const auto accuracy = curve.empty() ? std::nullopt : train_accuracy_at(*run.measures, curve.back().epoch);
    if (accuracy) {
      train.push_back(*accuracy);
      gaps.push_back(*accuracy - curve.back().accuracy);
    }
    if (run.measures->epoch_seconds) epoch_seconds.push_back(*run.measures->epoch_seconds);
    if (run.measures->total_seconds > 0) total_seconds.push_back(run.measures->total_seconds);
    const std::optional<double> sent =
        run.measures->curve.empty() ? std::nullopt : run.measures->curve.back().wire_bytes;
    if (sent.value_or(0) > 0) bytes.push_back(*sent);
    judge_run(*run.measures, point);
  }
  point.train_accuracy = summary_of(train);
  if (!gaps.empty()) point.gap = mean(gaps);
  point.epoch_seconds = summary_of(epoch_seconds);
  point.total_seconds = summary_of(total_seconds);
  point.wire_bytes = summary_of(bytes);
}

template <typename Get>
std::vector<std::size_t> smallest_points(const std::vector<ConvergePoint>& points, Get get) {
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::optional<Summary> value = get(points[i]);
    if (!value) continue;
    if (!best.empty() && value->mean < get(points[best.front()])->mean) best.clear();
    if (best.empty() || value->mean == get(points[best.front()])->mean) best.push_back(i);
  }
  return best;
}

// For Convoy's own runs the default is 1; for imported ones it is unknown.
std::int64_t workers_at(const StudyResults& results, const Point& point) {
  return number_at(results.spec, point, "workers", kind_row(results.spec.kind).imported ? 0 : 1);
}

// In the logs of other systems, batch may mean that of each worker.
bool knows_global_batch(const StudyResults& results, const ConvergePoint& point) {
  return !kind_row(results.spec.kind).imported || point.workers == 1 ||
         !value_at(results.spec, point.point, "scaling", "").empty();
}

std::optional<Summary> undoubted_target_seconds(const ConvergePoint& point) {
  return point.has_doubtful_times() ? std::nullopt : point.target_seconds;
}

}  // namespace

ConvergeAnalysis analyse_convergence(const StudyResults& results) {
  ConvergeAnalysis analysis;
  const std::optional<LastEpochs> last = last_epochs(results);
  if (last && last->least < last->most) analysis.common_epoch = last->least;
  const std::int64_t last_epoch = last ? last->least : 0;
  std::vector<WorkersValue> accuracies;
  std::vector<WorkersValue> stable;
  std::vector<WorkersValue> levels;
  std::vector<PointAccuracy> compared;
  for (const PointResult& result : results.points) {
    ConvergePoint& point = analysis.points.emplace_back(ConvergePoint{.point = result.point,
                                                                      .workers = workers_at(results, result.point),
                                                                      .oversubscribed = result.oversubscribed,
                                                                      .statistics = statistics_of(results, result)});
    std::vector<RunConvergence> runs;
    for (const StudyRun& run : result.runs) {
      if (!run.counts()) continue;
      runs.push_back(converge(*run.measures, results.spec, last_epoch));
      if (!point.accuracies.test_data) point.accuracies.test_data = run.measures->test_data;
      if (!runs.back().stable || point.workers == 0) continue;
      stable.push_back({point.workers, static_cast<double>(runs.back().stable->epoch)});
      levels.push_back({point.workers, runs.back().stable->level});
    }
    point.curve = mean_curve(result, runs);
    add_moments(point, runs);
    add_learning(point, result, runs);
    if (knows_global_batch(results, point)) point.global_batch = global_batch(results.spec, result.point);
    point.instances = number_at(results.spec, result.point, "instances", 1);
    if (point.workers > 0) {
      for (const double accuracy : point.accuracies.runs) accuracies.push_back({point.workers, accuracy});
    }
    compared.push_back(point.accuracies);
  }
  analysis.lead = lead_by_accuracy(compared);
  analysis.stable_first = smallest_points(analysis.points, [](const ConvergePoint& p) { return p.stable_epochs; });
  analysis.target_first = smallest_points(analysis.points, undoubted_target_seconds);
  analysis.accuracy_trend = worker_trend(accuracies);
  analysis.stable_trend = worker_trend(stable);
  analysis.level_trend = worker_trend(levels);
  return analysis;
}

}  // namespace convoy::study
