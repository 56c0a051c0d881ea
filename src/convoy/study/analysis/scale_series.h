// The points of a scaling study, in series that differ in size alone, and what a series says of larger sizes: how many
// workers pay off, and what a fitted law predicts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/analysis/scaling_fit.h"
#include "convoy/study/analysis/verdict.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::study {

struct ScaleSeries;

// How many workers (or threads) are worth having, from what was measured.

// An added worker that brings less than this part of what a worker of the base brings is not worth having.
inline constexpr double kWorthwhile = 0.5;

// From one measured size to a larger one.
struct SizeStep {
  std::int64_t from = 0;
  std::int64_t to = 0;
  double gain = 0;   // throughput added per added worker, over the throughput per worker of the base
  double ratio = 0;  // of the throughputs

  [[nodiscard]] bool is_worthwhile() const { return gain >= kWorthwhile; }
};

// From each trusted size to the next larger one. Empty where pay_off() has no answer.
[[nodiscard]] std::vector<SizeStep> size_steps(const ScaleSeries& series);

struct PayOff {
  std::int64_t size = 0;              // the largest that was worth going to from a smaller one that was
  std::optional<SizeStep> last;       // the step to it; absent when it is the base
  std::optional<SizeStep> not_worth;  // the first step beyond it that was measured: too small
  std::int64_t largest_measured = 0;  // that could have been the answer

  // The size whose verdict says what stands in the way of more.
  [[nodiscard]] std::int64_t judged_size() const { return not_worth ? not_worth->to : size; }
};

// A size that is not worth it is passed over: one slow measurement between two good ones does not end the search.
// Nothing without two measured sizes. Nothing when the base was disturbed. Oversubscribed and
// disturbed points do not count: they tell of the cores there are.
[[nodiscard]] std::optional<PayOff> pay_off(const ScaleSeries& series);

// Why pay_off() has no answer, as a clause; empty when it has one.
[[nodiscard]] std::string why_no_pay_off(const ScaleSeries& series);

// What a fitted law of scaling says of twice the largest size that was measured.
struct ScalingPrediction {
  std::int64_t size = 0;
  Estimate throughput;  // of the law's mean
  double speed_up = 0;  // over what the law says of the base
  double efficiency = 0;
};

struct PredictionResult {
  std::optional<ScalingPrediction> prediction;
  std::string reason;  // why a fitted law is not asked; empty where it is, and without a fit
};

// None where that size was measured, and where the interval is too wide to say anything: its upper end more than twice
// the lower one.
[[nodiscard]] PredictionResult predict_beyond(const ScaleSeries& series, const ScalingFitResult& law);

struct ScalePoint {
  Point point;
  std::int64_t size = 1;  // workers, or threads where those vary; 0 when an imported log does not say
  std::int64_t workers = 1;
  std::int64_t threads = 1;  // 0 when no log says
  std::int64_t global_batch = 0;
  bool oversubscribed = false;
  PointStatistics statistics;
  // Against the base of the series; absent when either was not measured.
  std::optional<double> speed_up;         // throughput / throughput(base)
  std::optional<double> efficiency;       // speed_up / (size / size of the base)
  std::optional<double> time_efficiency;  // step time(base) / step time: what weak scaling goes by
  std::optional<double> step_increase;    // step time / step time(base)
  // 95 %, from the intervals of both throughputs, whose logarithms are independent. Absent for the base itself, which
  // is 1 by definition, and where one of the two has no interval.
  std::optional<Interval> speed_up_95;
  std::optional<Interval> efficiency_95;
  bool beyond_linear = false;      // more efficient than can be, beyond its interval: caches, or a slow base
  std::optional<Verdict> verdict;  // absent without shares of time, and where it would rest on disturbed runs

  // Whether others used the cores of all its runs.
  [[nodiscard]] bool is_disturbed() const { return statistics.rests_on_disturbed; }
  // Whether what it says of speed is to be taken with care.
  [[nodiscard]] bool is_doubtful() const { return oversubscribed || is_disturbed(); }
  // Whether it was measured, on cores of its own and undisturbed: what answers, fits and advice go by.
  [[nodiscard]] bool is_trusted() const { return statistics.throughput && !is_doubtful(); }
};

// Points that differ in size alone.
struct ScaleSeries {
  std::string name;  // "weak, ring"; empty when there is one series only
  Point values;      // what its points have in common
  bool is_weak = false;
  bool is_fixed_work = true;       // the global batch is known to stay the same: what Amdahl's law is about
  std::vector<ScalePoint> points;  // by size
  std::int64_t base_size = 0;      // 0 when nothing was measured
  bool base_is_disturbed = false;  // nothing is compared with it then
  // Doubtful points are left out: they tell of the cores there are and not of the law.
  ScalingFitResult amdahl;
  ScalingFitResult universal;
  // What each law says of twice the largest size; nothing without a fit.
  PredictionResult amdahl_prediction;
  PredictionResult universal_prediction;
  std::optional<PayOff> pay_off;
  std::vector<SizeStep> steps;

  [[nodiscard]] bool is_base(const ScalePoint& point) const { return point.size > 0 && point.size == base_size; }
  // Those that were trusted and are larger than the base, by size.
  [[nodiscard]] std::vector<const ScalePoint*> trusted_beyond_base() const;
  // Null when there is no such point, or it is not trusted.
  [[nodiscard]] const ScalePoint* trusted_at(std::int64_t size) const;
  // Of the trusted points; 0 when there is none.
  [[nodiscard]] std::int64_t largest_trusted() const;
  // The highest throughput of a trusted point beyond the base, which several series share; 0 when there is none.
  [[nodiscard]] double best_beyond_base() const;

  // Laws are not trusted farther from the data: twice the largest size of a trusted point.
  [[nodiscard]] std::int64_t farthest_prediction() const { return 2 * largest_trusted(); }
  [[nodiscard]] bool is_near(double size) const { return size <= static_cast<double>(farthest_prediction()); }
};

}  // namespace convoy::study
