// Shared by tests of bf16: numbers that bf16 can represent, and how far results may be from them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/kernels/layout.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/image.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels::reference {

inline constexpr DataType kBf16 = DataType::bf16;
inline constexpr double kHalfUnit = 1.0 / 256;

inline std::int64_t count_of_all(const Layout::Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return count;
}

inline double rounded(double value) { return to_float(to_bfloat16(static_cast<float>(value))); }

inline Values random_bf16(const Layout::Dims& dims, std::uint64_t seed, float reach = 1.0F) {
  Values values = random_values(count_of_all(dims), seed, reach);
  std::ranges::transform(values, values.begin(), rounded);
  return values;
}

// Whether values are within `roundings` roundings to bf16 of what is expected, plus `tolerance` times the largest, for
// sums of floats.
inline testing::AssertionResult close_in_bf16(const Values& actual, const Values& expected, double tolerance,
                                              double roundings = 1) {
  if (actual.size() != expected.size()) return testing::AssertionFailure() << actual.size() << " elements";
  const double sums = tolerance * largest(expected);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double allowed = roundings * kHalfUnit * std::abs(expected[i]) + sums;
    if (std::abs(actual[i] - expected[i]) <= allowed) continue;
    return testing::AssertionFailure() << "element " << i << " is " << actual[i] << ", expected " << expected[i]
                                       << " within " << allowed;
  }
  return testing::AssertionSuccess();
}

inline bool has_rounded_only(const Values& values) {
  return std::ranges::all_of(values, [](double value) { return rounded(value) == value; });
}

}  // namespace convoy::kernels::reference
