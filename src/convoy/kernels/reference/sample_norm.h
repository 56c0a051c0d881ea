// The naive twin of group and layer norm, for tests.
#pragma once

#include <cstddef>

#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

// Plain values: samples of channels of pixels, one after the other.
struct SampleNorm {
  std::size_t batch = 1;
  std::size_t channels = 1;
  std::size_t pixels = 1;
  std::size_t groups = 1;
  bool per_element = false;
  double epsilon = 1e-5;

  [[nodiscard]] Values forward(const Values& x, const Values& scale, const Values& shift) const;

  struct Gradients {
    Values x;
    Values scale;
    Values shift;
  };
  [[nodiscard]] Gradients backward(const Values& x, const Values& scale, const Values& dy) const;

 private:
  [[nodiscard]] std::size_t factor(std::size_t i) const;
  // x with mean 0 and deviation 1 in each group. `inverse_deviations` gets one divided by the deviation of the group of
  // each element.
  [[nodiscard]] Values normal(const Values& x, Values* inverse_deviations = nullptr) const;
};

}  // namespace convoy::kernels::reference
