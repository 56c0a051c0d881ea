#include "convoy/study/scaling_fit.h"

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
// Beyond the parameters: with one, Student's t is 12.7 and the interval says nothing.
constexpr std::int64_t kSpareForIntervals = 2;

using Vector = std::array<double, kMost>;  // a, b, c, or a gradient by them

std::size_t parameters_of(ScalingLaw law) { return law == ScalingLaw::amdahl ? 2 : 3; }

// What a, b and c are multiplied by.
Vector terms_at(double workers) { return {1, workers - 1, workers * (workers - 1)}; }

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The coefficients for which use[i]; the others are 0. Nothing when the observations do not decide them.
struct Solution {
  Vector coefficients{};
  LinearFit fit;
};

std::optional<Solution> solve(std::span<const ScalingObservation> observations, const std::array<bool, kMost>& use) {
  std::vector<std::vector<double>> columns;
  for (std::size_t i = 0; i < kMost; ++i) {
    if (!use[i]) continue;
    columns.emplace_back();
    for (const ScalingObservation& seen : observations) {
      const auto workers = static_cast<double>(seen.workers);
      columns.back().push_back(terms_at(workers)[i] * seen.throughput / workers);
    }
  }
  const std::vector<double> ones(observations.size(), 1.0);
  std::optional<LinearFit> fit = fit_linear(columns, ones);
  if (!fit) return std::nullopt;
  Solution solution{{}, std::move(*fit)};
  std::size_t next = 0;
  for (std::size_t i = 0; i < kMost; ++i) {
    if (use[i]) solution.coefficients[i] = solution.fit.coefficients[next++];
  }
  return solution;
}

std::optional<Solution> solve_freely(std::span<const ScalingObservation> observations, ScalingLaw law) {
  return solve(observations, {true, true, law == ScalingLaw::universal});
}

// The best with b and c not negative. There always is one: with both 0 it is the mean of what a worker does.
Vector solve_bounded(std::span<const ScalingObservation> observations, ScalingLaw law) {
  Vector best{};
  double least = std::numeric_limits<double>::infinity();
  for (const bool use_b : {true, false}) {
    for (const bool use_c : {true, false}) {
      if (use_c && law == ScalingLaw::amdahl) continue;
      const auto solution = solve(observations, {true, use_b, use_c});
      if (!solution) continue;
      const auto& [a, b, c] = solution->coefficients;
      if (a > 0 && b >= 0 && c >= 0 && solution->fit.residual_squares < least) {
        least = solution->fit.residual_squares;
        best = solution->coefficients;
      }
    }
  }
  CONVOY_CHECK(best[0] > 0);
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

// Half the width of the interval of something with this gradient by a, b and c.
double half_width(const ScalingFit& fit, const Vector& gradient) {
  double variance = 0;
  for (std::size_t i = 0; i < kMost; ++i) variance += gradient[i] * dot(gradient, fit.covariance[i]);
  return fit.t_value * std::sqrt(std::max(variance, 0.0));
}

// Around what the fit without bounds says, but not below zero, and with the bounded estimate inside.
Interval cut(double centre, double half, double estimate) {
  return {std::min(std::max(centre - half, 0.0), estimate), std::max(centre + half, estimate)};
}

void add_parameter_intervals(const Vector& free, ScalingFit& fit) {
  const auto& [a, b, c] = free;
  const double x = 1 / a;
  fit.single_throughput.interval_95 = cut(x, half_width(fit, {-x * x, 0, 0}), fit.single_throughput.value);
  fit.serial_share.interval_95 = cut(b * x, half_width(fit, {-b * x * x, x, 0}), fit.serial_share.value);
  if (fit.law == ScalingLaw::amdahl) return;
  fit.crosstalk.interval_95 = cut(c * x, half_width(fit, {-c * x * x, 0, x}), fit.crosstalk.value);
}

void add_intervals(std::span<const ScalingObservation> observations, ScalingFit& fit) {
  const std::size_t parameters = parameters_of(fit.law);
  const auto needed = static_cast<std::int64_t>(parameters) + kSpareForIntervals;
  if (fit.observations < needed) {
    fit.notes.push_back(fmt::format("no intervals: {} observations, at least {} are needed for {} parameters",
                                    fit.observations, needed, parameters));
    return;
  }
  const auto free = solve_freely(observations, fit.law);
  if (!free || free->coefficients[0] <= 0) {
    fit.notes.emplace_back("no intervals: the observations do not decide the parameters");
    return;
  }
  for (std::size_t i = 0; i < parameters; ++i) {
    for (std::size_t j = 0; j < parameters; ++j) fit.covariance[i][j] = free->fit.covariance(i, j);
  }
  fit.t_value = t_value(0.95, static_cast<double>(free->fit.spare));
  add_parameter_intervals(free->coefficients, fit);
}

double knee_at(double serial_share, double crosstalk) {
  return std::max(1.0, std::sqrt(std::max(1 - serial_share, 0.0) / crosstalk));
}

std::optional<Interval> knee_interval(const ScalingFit& fit, const Vector& coefficients) {
  if (!fit.crosstalk.interval_95) return std::nullopt;
  const double value = fit.knee->value;
  const Interval& crosstalk = *fit.crosstalk.interval_95;
  const auto& [a, b, c] = coefficients;
  if (crosstalk.low <= 0 || a <= b) {
    // No logarithm of one of them, so the ends of both intervals must do.
    const double most = crosstalk.low > 0 ? knee_at(fit.serial_share.interval_95->low, crosstalk.low)
                                          : std::numeric_limits<double>::infinity();
    return Interval{std::min(value, knee_at(fit.serial_share.value, crosstalk.high)), most};
  }
  // On a logarithmic scale, where log knee = (log (a - b) - log c) / 2 and no end is negative.
  const double ratio = std::exp(half_width(fit, {0.5 / (a - b), -0.5 / (a - b), -0.5 / c}));
  return Interval{std::max(1.0, value / ratio), value * ratio};
}

void add_knee(const Vector& coefficients, ScalingFit& fit) {
  if (fit.law == ScalingLaw::amdahl) return;
  if (fit.crosstalk.value <= 0) {
    fit.notes.emplace_back(fit.serial_share.value < 1 ? "no knee within reach: every worker adds throughput"
                                                      : "no knee: one worker is as fast as more");
    return;
  }
  fit.knee = Estimate{.value = knee_at(fit.serial_share.value, fit.crosstalk.value), .interval_95 = {}};
  fit.knee->interval_95 = knee_interval(fit, coefficients);
}

std::size_t different_workers(std::span<const ScalingObservation> observations) {
  std::set<std::int64_t> workers;
  for (const ScalingObservation& seen : observations) {
    CONVOY_CHECK(seen.workers >= 1);
    CONVOY_CHECK(std::isfinite(seen.throughput) && seen.throughput > 0);
    workers.insert(seen.workers);
  }
  return workers.size();
}

}  // namespace

std::string_view to_text(ScalingLaw law) {
  return law == ScalingLaw::amdahl ? "Amdahl's law" : "universal scalability law";
}

ScalingFitResult fit_scaling(ScalingLaw law, std::span<const ScalingObservation> observations) {
  const std::size_t different = different_workers(observations);
  if (different < parameters_of(law)) {
    return {.fit = {},
            .reason = fmt::format("{}: needs runs with at least {} different numbers of workers, there are {}",
                                  to_text(law), parameters_of(law), different)};
  }
  const Vector coefficients = solve_bounded(observations, law);
  const auto& [a, b, c] = coefficients;
  ScalingFit fit;
  fit.law = law;
  fit.single_throughput.value = 1 / a;
  fit.serial_share.value = b / a;
  fit.crosstalk.value = c / a;
  fit.observations = std::ssize(observations);
  fit.rms_relative_error = rms_relative_error(observations, coefficients);
  add_intervals(observations, fit);
  add_knee(coefficients, fit);
  return {.fit = std::move(fit), .reason = {}};
}

Estimate predict(const ScalingFit& fit, std::int64_t workers) {
  CONVOY_CHECK(workers >= 1);
  const auto count = static_cast<double>(workers);
  const Vector terms = terms_at(count);
  const double seconds = dot({1, fit.serial_share.value, fit.crosstalk.value}, terms) / fit.single_throughput.value;
  Estimate estimate{.value = count / seconds, .interval_95 = {}};
  if (fit.t_value > 0) {
    const double half = half_width(fit, terms);
    const double high = seconds > half ? count / (seconds - half) : std::numeric_limits<double>::infinity();
    estimate.interval_95 = Interval{count / (seconds + half), high};
  }
  return estimate;
}

}  // namespace convoy::study
