// Fits laws of scaling to measured throughputs, for numbers of workers that were not tried.
//
// Amdahl:                 X(N) = X1 N / (1 + s (N - 1))
// universal scalability:  X(N) = X1 N / (1 + s (N - 1) + k N (N - 1))
//
// Both can be written as linear equations: N / X(N), the seconds that a worker needs for a sample, is a + b (N - 1) + c
// N (N - 1) with X1 = 1 / a, s = b / a and k = c / a. So the fit is linear, with each equation divided by its measured
// value: relative errors count, so that a throughput ten times as high does not weigh a hundred times as much.
//
// A law is fitted only where runs could contradict it: to more different numbers of workers than it has parameters,
// with at least two more runs than parameters. It is fitted within its bounds, 0 <= s <= 1 and 0 <= k, by trying which
// of them hold with equality, which is exact for three. If the fit without bounds lies outside them by more than its
// interval, the law does not describe the runs, and there is no fit.
//
// Intervals are Student-t intervals from the covariance of the linear fit without bounds (s, k, X1 to first order), cut
// at the bounds. Resampling the repeats was rejected: with two or three repeats it gives too narrow a spread, and
// unlike the residuals it does not show that the law may not fit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/measure/estimate.h"

namespace convoy::study {

// One run; epochs of the same run are not independent observations.
struct ScalingObservation {
  std::int64_t workers = 1;
  double throughput = 0;
};

enum class ScalingLaw : std::uint8_t { amdahl, universal };

[[nodiscard]] std::string_view to_text(ScalingLaw law);

struct ScalingFit {
  ScalingLaw law = ScalingLaw::amdahl;
  Estimate single_throughput;  // X1: with one worker
  Estimate serial_share;       // s: the share of the work that is not divided among workers, from 0 to 1
  Estimate crosstalk;          // k: the cost that grows with pairs of workers; 0 for Amdahl's law
  // Where throughput is highest, sqrt((1 - s) / k), at least 1. Absent when k is 0, because then throughput always
  // grows. The upper end of its interval is infinite when k may be 0.
  std::optional<Estimate> knee;
  double rms_relative_error = 0;  // of the observations compared with the law
  std::int64_t observations = 0;
  std::vector<std::string> notes;  // why there is no knee

  // For predict(): the covariance of a, b and c relative to a, and the t value.
  std::array<std::array<double, 3>, 3> covariance{};
  double t_value = 0;
};

struct ScalingFitResult {
  std::optional<ScalingFit> fit;
  std::string reason;  // why there is no fit, in words; empty when there is one
};

// Amdahl's law needs 3 different numbers of workers and 4 runs, the universal law 4 and 5. A fit always has intervals.
// Needs workers >= 1. If a throughput is not positive, or too small to compute with, there is no fit.
[[nodiscard]] ScalingFitResult fit_scaling(ScalingLaw law, std::span<const ScalingObservation> observations);

// The law's throughput at any number of workers, at least 1. The interval is that of the law's mean; it does not
// account for what may happen beyond the measured range.
[[nodiscard]] Estimate predict(const ScalingFit& fit, std::int64_t workers);

// The same without an interval and for any number from 1 on, for drawing the law as a line.
[[nodiscard]] double throughput_by_law(const ScalingFit& fit, double workers);

}  // namespace convoy::study
