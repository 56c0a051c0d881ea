// The relative distance between two arrays of floats.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <span>

namespace convoy {

// |a - b| / |b|, Euclidean; two arrays of zeros count as equal.
[[nodiscard]] inline double distance(std::span<const float> a, std::span<const float> b) {
  double difference = 0;
  double length = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double d = static_cast<double>(a[i]) - b[i];
    difference += d * d;
    length += static_cast<double>(b[i]) * b[i];
  }
  return difference == 0 ? 0 : std::sqrt(difference / length);
}

[[nodiscard]] inline testing::AssertionResult close(std::span<const float> a, std::span<const float> b,
                                                    double tolerance) {
  if (a.size() != b.size()) {
    return testing::AssertionFailure() << "sizes differ: " << a.size() << " and " << b.size();
  }
  const double apart = distance(a, b);
  // Written so that NaN fails.
  if (!(apart <= tolerance)) {
    return testing::AssertionFailure() << "apart by " << apart << ", allowed " << tolerance;
  }
  return testing::AssertionSuccess();
}

// For gradients that are almost zero (a bias before batch norm has none at all) only rounding errors remain; then both
// may be as long as `floor`.
[[nodiscard]] inline testing::AssertionResult close_above(std::span<const float> a, std::span<const float> b,
                                                          double tolerance, double floor) {
  double difference = 0;
  for (std::size_t i = 0; i < b.size() && a.size() == b.size(); ++i) {
    const double d = static_cast<double>(a[i]) - b[i];
    difference += d * d;
  }
  if (a.size() == b.size() && std::sqrt(difference) <= floor) {
    return testing::AssertionSuccess();
  }
  return close(a, b, tolerance);
}

}  // namespace convoy
