// The points of a scaling study in series that differ only in size, and what a series says about larger sizes: how many
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

// How many workers (or threads) are worthwhile, based on what was measured.

// An added worker is not worthwhile if it brings less than this share of what a worker of the base brings.
inline constexpr double kWorthwhile = 0.5;

// The step from one measured size to a larger one.
struct SizeStep {
  std::int64_t from = 0;
  std::int64_t to = 0;
  double gain = 0;   // throughput gained per added worker, divided by the throughput per worker of the base
  double ratio = 0;  // of the two throughputs

  [[nodiscard]] bool is_worthwhile() const { return gain >= kWorthwhile; }
};

// The steps from each trusted size to the next larger one. Empty if pay_off() has no answer.
[[nodiscard]] std::vector<SizeStep> size_steps(const ScaleSeries& series);

struct PayOff {
  std::int64_t size = 0;              // the largest size that was worthwhile, compared with a smaller worthwhile one
  std::optional<SizeStep> last;       // the step to it; absent when it is the base
  std::optional<SizeStep> not_worth;  // the first measured step beyond it, whose gain is too small
  std::int64_t largest_measured = 0;  // the largest that could have been the answer

  // The size whose verdict tells what limits larger ones.
  [[nodiscard]] std::int64_t judged_size() const { return not_worth ? not_worth->to : size; }
};

// A size that is not worthwhile is skipped: one slow measurement between two good ones does not end the search. No
// value without two measured sizes or when the base was disturbed. Oversubscribed and disturbed points do not count:
// they show a lack of cores and not how training scales.
[[nodiscard]] std::optional<PayOff> pay_off(const ScaleSeries& series);

// Why pay_off() has no answer, as a clause; empty when it has one.
[[nodiscard]] std::string why_no_pay_off(const ScaleSeries& series);

// What a fitted law of scaling predicts for twice the largest measured size.
struct ScalingPrediction {
  std::int64_t size = 0;
  Estimate throughput;  // the mean by the law
  double speed_up = 0;  // compared with what the law gives for the base
  double efficiency = 0;
};

struct PredictionResult {
  std::optional<ScalingPrediction> prediction;
  std::string reason;  // why a fitted law is not used; empty if it is used, and without a fit
};

// Gives no prediction if that size was measured, or if the interval is too wide to be useful: its upper end is more
// than twice the lower one.
[[nodiscard]] PredictionResult predict_beyond(const ScaleSeries& series, const ScalingFitResult& law);

struct ScalePoint {
  Point point;
  std::int64_t size = 1;  // workers, or threads if those vary; 0 when an imported log does not say
  std::int64_t workers = 1;
  std::int64_t threads = 1;  // 0 when no log says
  std::int64_t global_batch = 0;
  bool oversubscribed = false;
  PointStatistics statistics;
  // Compared with the base of the series; absent when either was not measured.
  std::optional<double> speed_up;         // throughput / throughput(base)
  std::optional<double> efficiency;       // speed_up / (size / size of the base)
  std::optional<double> time_efficiency;  // step time(base) / step time: the measure for weak scaling
  std::optional<double> step_increase;    // step time / step time(base)
  // 95 % intervals, from those of both throughputs, whose logarithms are independent. Absent for the base itself, which
  // is 1 by definition, and if one of the two has no interval.
  std::optional<Interval> speed_up_95;
  std::optional<Interval> efficiency_95;
  // More efficient than possible, even given its interval: because of caches or a slow base.
  bool beyond_linear = false;
  std::optional<Verdict> verdict;  // absent without shares of time, and if it would be based on disturbed runs

  // Whether all of its runs were disturbed.
  [[nodiscard]] bool is_disturbed() const { return statistics.rests_on_disturbed; }
  // Whether its speed should be treated with caution.
  [[nodiscard]] bool is_doubtful() const { return oversubscribed || is_disturbed(); }
  // Whether it was measured, undisturbed and on cores of its own. Only such points are used for answers, fits and
  // advice.
  [[nodiscard]] bool is_trusted() const { return statistics.throughput && !is_doubtful(); }
};

// Points that differ only in size.
struct ScaleSeries {
  std::string name;  // "weak, ring"; empty when there is only one series
  Point values;      // the values that its points have in common
  bool is_weak = false;
  bool is_fixed_work = true;       // the global batch is known to stay the same, as Amdahl's law assumes
  std::vector<ScalePoint> points;  // by size
  std::int64_t base_size = 0;      // 0 when nothing was measured
  bool base_is_disturbed = false;  // then nothing is compared with it
  // Doubtful points are left out: they show a lack of cores and not how training scales.
  ScalingFitResult amdahl;
  ScalingFitResult universal;
  // What each law predicts for twice the largest size; empty without a fit.
  PredictionResult amdahl_prediction;
  PredictionResult universal_prediction;
  std::optional<PayOff> pay_off;
  std::vector<SizeStep> steps;

  [[nodiscard]] bool is_base(const ScalePoint& point) const { return point.size > 0 && point.size == base_size; }
  // The trusted points that are larger than the base, by size.
  [[nodiscard]] std::vector<const ScalePoint*> trusted_beyond_base() const;
  // Null when there is no such point or it is not trusted.
  [[nodiscard]] const ScalePoint* trusted_at(std::int64_t size) const;
  // The largest size of a trusted point; 0 when there is none.
  [[nodiscard]] std::int64_t largest_trusted() const;
  // The highest throughput of a trusted point larger than the base, which several series share; 0 when there is none.
  [[nodiscard]] double best_beyond_base() const;

  // Laws are not trusted beyond twice the largest size of a trusted point.
  [[nodiscard]] std::int64_t farthest_prediction() const { return 2 * largest_trusted(); }
  [[nodiscard]] bool is_near(double size) const { return size <= static_cast<double>(farthest_prediction()); }
};

}  // namespace convoy::study
