// Compares a gradient with central differences of the function.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "convoy/base/rng.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

// Uniform in [-reach, reach), rounded to floats, so that kernels can get exactly the same numbers.
inline Values random_values(std::int64_t count, std::uint64_t seed, float reach = 1.0F) {
  Rng rng(seed);
  Values values(static_cast<std::size_t>(count));
  for (double& value : values) value = rng.uniform(-reach, reach);
  return values;
}

inline double dot(const Values& a, const Values& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

inline double largest(const Values& values) {
  double top = 0;
  for (double value : values) top = std::max(top, std::abs(value));
  return top;
}

// Whether `gradient` is that of `f` at `x`, to within a share of its largest element. `f` must be smooth within a step
// of x.
inline testing::AssertionResult is_gradient(const std::function<double(const Values&)>& f, Values x,
                                            const Values& gradient, double tolerance = 1e-6) {
  constexpr double kStep = 1e-5;
  if (gradient.size() != x.size()) return testing::AssertionFailure() << "the gradient has another size";
  const double allowed = tolerance * largest(gradient);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double middle = x[i];
    x[i] = middle + kStep;
    const double above = f(x);
    x[i] = middle - kStep;
    const double below = f(x);
    x[i] = middle;
    const double slope = (above - below) / (2 * kStep);
    if (!(std::abs(slope - gradient[i]) <= allowed)) {
      return testing::AssertionFailure() << "element " << i << ": gradient " << gradient[i] << ", slope " << slope;
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace convoy::kernels::reference
