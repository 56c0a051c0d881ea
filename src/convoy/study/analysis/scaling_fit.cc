#include "convoy/study/analysis/scaling_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "convoy/base/check.h"
#include "convoy/base/least_squares.h"
#include "convoy/base/statistics.h"

namespace convoy::study {

namespace {

constexpr std::size_t kMost = 3;
// How many more runs than parameters are needed: with only one more, Student's t is 12.7 and the interval says nothing.
constexpr std::size_t kSpareRuns = 2;
// How far a bound may be exceeded, because of rounding.
constexpr double kRounding = 1e-9;

using Vector = std::array<double, kMost>;  // a, b, c, or a gradient with respect to them
using Observations = std::span<const ScalingObservation>;

std::size_t parameters_of(ScalingLaw law) { return law == ScalingLaw::amdahl ? 2 : 3; }

// The factors of a, b and c.
Vector terms_at(double workers) { return {1, workers - 1, workers * (workers - 1)}; }

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Coefficients that are combinations of the given directions.
struct Solution {
  Vector coefficients{};
  LinearFit fit;
};

std::optional<Solution> solve(Observations observations, std::span<const Vector> directions) {
  std::vector<std::vector<double>> columns;
  for (const Vector& direction : directions) {
    columns.emplace_back();
    for (const ScalingObservation& seen : observations) {
      const auto workers = static_cast<double>(seen.workers);
      columns.back().push_back(dot(direction, terms_at(workers)) * seen.throughput / workers);
    }
  }
  const std::vector<double> ones(observations.size(), 1.0);
  std::optional<LinearFit> fit = fit_linear(columns, ones);
  if (!fit) return std::nullopt;
  Solution solution{{}, std::move(*fit)};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (std::size_t j = 0; j < kMost; ++j) {
      solution.coefficients[j] += solution.fit.coefficients[i] * directions[i][j];
    }
  }
  return solution;
}

constexpr Vector kA = {1, 0, 0};
constexpr Vector kB = {0, 1, 0};
constexpr Vector kC = {0, 0, 1};
constexpr Vector kAllSerial = {1, 1, 0};  // b = a

std::optional<Solution> solve_freely(Observations observations, ScalingLaw law) {
  const std::array directions = {kA, kB, kC};
  return solve(observations, std::span(directions).first(parameters_of(law)));
}

// The best solution with 0 <= b <= a and 0 <= c. At the optimum each bound either holds with equality or does not
// matter, so all cases are tried. No value when the observations differ too much to compute with.
std::optional<Vector> solve_bounded(Observations observations, ScalingLaw law) {
  std::vector<std::vector<Vector>> cases = {{kA, kB}, {kA}, {kAllSerial}};
  if (law == ScalingLaw::universal) cases.insert(cases.end(), {{kA, kB, kC}, {kA, kC}, {kAllSerial, kC}});
  std::optional<Vector> best;
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<Vector>& directions : cases) {
    const auto solution = solve(observations, directions);
    if (!solution) continue;
    const auto& [a, b, c] = solution->coefficients;
    const bool is_within = a > 0 && b >= 0 && b <= a && c >= 0;
    if (!is_within || !(solution->fit.residual_squares < least)) continue;
    least = solution->fit.residual_squares;
    best = solution->coefficients;
  }
  return best;
}

double rms_relative_error(std::span<const ScalingObservation> observations, const Vector& coefficients) {
  double squares = 0;
  for (const ScalingObservation& seen : observations) {
    const auto workers = static_cast<double>(seen.workers);
    const double error = workers / dot(coefficients, terms_at(workers)) / seen.throughput - 1;
    squares += error * error;
  }
  return std::sqrt(squares / static_cast<double>(observations.size()));
}

// Half the width of the interval of a quantity with this gradient with respect to a, b and c.
double half_width(const ScalingFit& fit, const Vector& gradient) {
  double variance = 0;
  for (std::size_t i = 0; i < kMost; ++i) variance += gradient[i] * dot(gradient, fit.covariance[i]);
  return fit.t_value * std::sqrt(std::max(variance, 0.0));
}

// The interval around the estimate without bounds, cut at the bounds, but always containing the bounded estimate.
Interval cut(double centre, double half, double estimate, double most) {
  const double low = std::clamp(centre - half, 0.0, estimate);
  return {low, std::max(std::min(centre + half, most), estimate)};
}

// The estimates without bounds, relative to a: what the runs say, even if it is impossible by the law.
struct FreeShares {
  double a = 1;  // the unbounded value divided by the bounded one
  Estimate serial_share;
  Estimate crosstalk;
};

FreeShares free_shares(const ScalingFit& fit, const Vector& free) {
  const auto& [a, b, c] = free;
  const auto around = [](double value, double half) {
    return Estimate{.value = value, .interval_95 = Interval{value - half, value + half}};
  };
  return {.a = a,
          .serial_share = around(b / a, half_width(fit, {-b / (a * a), 1 / a, 0})),
          .crosstalk = around(c / a, half_width(fit, {-c / (a * a), 0, 1 / a}))};
}

std::string out_of_bounds(const char* what, const Estimate& free, const char* bounds) {
  return fmt::format("{} would be {:.3g} (95 % interval {:.3g} to {:.3g}), and {}: it does not describe these runs",
                     what, free.value, free.interval_95->low, free.interval_95->high, bounds);
}

// Why the law does not describe these runs; empty when it may.
std::string reason_against(const FreeShares& free, ScalingLaw law) {
  const Interval& share = *free.serial_share.interval_95;
  if (share.high < -kRounding) {
    return out_of_bounds("the share s that is not shared out", free.serial_share, "no law is faster than linear");
  }
  if (share.low > 1 + kRounding) {
    return out_of_bounds("the share s that is not shared out", free.serial_share, "no share is larger than 1");
  }
  if (law == ScalingLaw::universal && free.crosstalk.interval_95->high < -kRounding) {
    return out_of_bounds("the cost k of pairs of workers", free.crosstalk, "it cannot be a gain");
  }
  return "";
}

void set_intervals(const FreeShares& free, ScalingFit& fit) {
  constexpr double kNoBound = std::numeric_limits<double>::infinity();
  const double x = fit.single_throughput.value;
  fit.single_throughput.interval_95 = cut(x / free.a, half_width(fit, {x / (free.a * free.a), 0, 0}), x, kNoBound);
  const auto cut_to = [](Estimate& estimate, const Estimate& around, double most) {
    const double half = (around.interval_95->high - around.interval_95->low) / 2;
    estimate.interval_95 = cut(around.value, half, estimate.value, most);
  };
  cut_to(fit.serial_share, free.serial_share, 1);
  if (fit.law == ScalingLaw::universal) cut_to(fit.crosstalk, free.crosstalk, kNoBound);
}

double knee_at(double serial_share, double crosstalk) {
  return std::max(1.0, std::sqrt(std::max(1 - serial_share, 0.0) / crosstalk));
}

Interval knee_interval(const ScalingFit& fit) {
  const double value = fit.knee->value;
  const double s = fit.serial_share.value;
  const double k = fit.crosstalk.value;
  const Interval& crosstalk = *fit.crosstalk.interval_95;
  if (crosstalk.low <= 0 || s >= 1) {
    // The logarithm of one of them does not exist, so the ends of both intervals are combined.
    const double most = crosstalk.low > 0 ? knee_at(fit.serial_share.interval_95->low, crosstalk.low)
                                          : std::numeric_limits<double>::infinity();
    return {std::min(value, knee_at(s, crosstalk.high)), most};
  }
  // On a logarithmic scale, where log knee = (log (1 - s) - log k) / 2, so that no end is negative.
  const double ratio = std::exp(half_width(fit, {0.5 / (1 - s), -0.5 / (1 - s), -0.5 / k}));
  return {std::max(1.0, value / ratio), value * ratio};
}

void add_knee(ScalingFit& fit) {
  if (fit.law == ScalingLaw::amdahl) return;
  if (fit.crosstalk.value <= 0) {
    fit.notes.emplace_back(fit.serial_share.value < 1 ? "no knee within reach: every worker adds throughput"
                                                      : "no knee: one worker is as fast as more");
    return;
  }
  fit.knee = Estimate{.value = knee_at(fit.serial_share.value, fit.crosstalk.value), .interval_95 = {}};
  fit.knee->interval_95 = knee_interval(fit);
}

// In units of the largest throughput, so that squares neither overflow nor underflow.
std::vector<ScalingObservation> in_units(Observations observations, double unit) {
  std::vector<ScalingObservation> scaled;
  for (const ScalingObservation& seen : observations) scaled.push_back({seen.workers, seen.throughput / unit});
  return scaled;
}

// Why a law with so many parameters cannot be fitted to these observations; empty when it can be tried.
std::string reason_against(Observations observations, std::size_t parameters) {
  std::set<std::int64_t> workers;
  for (const ScalingObservation& seen : observations) {
    CONVOY_CHECK(seen.workers >= 1);
    if (!std::isnormal(seen.throughput) || seen.throughput < 0) {
      return fmt::format("a run has a throughput of {:g} samples/s, which is not a measurement", seen.throughput);
    }
    workers.insert(seen.workers);
  }
  if (workers.size() <= parameters) {
    return fmt::format("it has {} parameters and needs more different sizes than that, at least {}; there {} {}",
                       parameters, parameters + 1, workers.size() == 1 ? "is" : "are", workers.size());
  }
  if (observations.size() < parameters + kSpareRuns) {
    return fmt::format("it has {} parameters and needs at least {} runs for an interval; there are {}", parameters,
                       parameters + kSpareRuns, observations.size());
  }
  return "";
}

ScalingFit fit_from(ScalingLaw law, Observations observations, const Vector& bounded, double unit) {
  const auto& [a, b, c] = bounded;
  ScalingFit fit;
  fit.law = law;
  fit.single_throughput.value = unit / a;
  fit.serial_share.value = b / a;
  fit.crosstalk.value = c / a;
  fit.observations = std::ssize(observations);
  fit.rms_relative_error = rms_relative_error(observations, bounded);
  return fit;
}

void set_spread(const LinearFit& free, double a, ScalingFit& fit) {
  for (std::size_t i = 0; i < parameters_of(fit.law); ++i) {
    for (std::size_t j = 0; j < parameters_of(fit.law); ++j) fit.covariance[i][j] = free.covariance(i, j) / (a * a);
  }
  fit.t_value = t_value(0.95, static_cast<double>(free.spare));
}

ScalingFitResult no_fit(ScalingLaw law, const std::string& reason) {
  return {.fit = {}, .reason = fmt::format("{}: {}", to_text(law), reason)};
}

}  // namespace

std::string_view to_text(ScalingLaw law) {
  return law == ScalingLaw::amdahl ? "Amdahl's law" : "universal scalability law";
}

ScalingFitResult fit_scaling(ScalingLaw law, std::span<const ScalingObservation> observations) {
  if (const std::string reason = reason_against(observations, parameters_of(law)); !reason.empty()) {
    return no_fit(law, reason);
  }
  const double unit = std::ranges::max(observations, {}, &ScalingObservation::throughput).throughput;
  const std::vector<ScalingObservation> scaled = in_units(observations, unit);
  const std::optional<Solution> free = solve_freely(scaled, law);
  const std::optional<Vector> bounded = solve_bounded(scaled, law);
  if (!free || !bounded || !(free->coefficients[0] > 0)) return no_fit(law, "the runs do not decide its parameters");
  const double a = bounded->front();
  ScalingFit fit = fit_from(law, scaled, *bounded, unit);
  set_spread(free->fit, a, fit);
  const auto& [free_a, free_b, free_c] = free->coefficients;
  const FreeShares shares = free_shares(fit, {free_a / a, free_b / a, free_c / a});
  if (const std::string reason = reason_against(shares, law); !reason.empty()) return no_fit(law, reason);
  set_intervals(shares, fit);
  add_knee(fit);
  if (!std::isnormal(fit.single_throughput.value) || !std::isfinite(fit.rms_relative_error)) {
    return no_fit(law, "the throughputs are too far apart for one law");
  }
  return {.fit = std::move(fit), .reason = {}};
}

Estimate predict(const ScalingFit& fit, std::int64_t workers) {
  CONVOY_CHECK(workers >= 1);
  const auto count = static_cast<double>(workers);
  const Vector terms = terms_at(count);
  // Relative to the time that one worker needs for a sample.
  const double time = dot({1, fit.serial_share.value, fit.crosstalk.value}, terms);
  const double most = count * fit.single_throughput.value;
  const double half = half_width(fit, terms);
  const double high = time > half ? most / (time - half) : std::numeric_limits<double>::infinity();
  return {.value = most / time, .interval_95 = Interval{most / (time + half), high}};
}

double throughput_by_law(const ScalingFit& fit, double workers) {
  const double time = dot({1, fit.serial_share.value, fit.crosstalk.value}, terms_at(workers));
  return workers * fit.single_throughput.value / time;
}

}  // namespace convoy::study
