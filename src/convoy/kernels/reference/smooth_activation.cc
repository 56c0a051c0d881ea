#include "convoy/kernels/reference/smooth_activation.h"

#include <cmath>

namespace convoy::kernels::reference {

Values smooth(SmoothActivation kind, Values x) {
  for (double& v : x) v = kind == SmoothActivation::tanh ? std::tanh(v) : 1 / (1 + std::exp(-v));
  return x;
}

Values smooth_backward(SmoothActivation kind, const Values& y, Values dy) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    dy[i] *= kind == SmoothActivation::tanh ? 1 - y[i] * y[i] : y[i] * (1 - y[i]);
  }
  return dy;
}

Values softmax(Values x, std::size_t rows) {
  const std::size_t count = x.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t i = row * count; i < (row + 1) * count; ++i) sum += std::exp(x[i]);
    for (std::size_t i = row * count; i < (row + 1) * count; ++i) x[i] = std::exp(x[i]) / sum;
  }
  return x;
}

Values softmax_backward(const Values& y, Values dy, std::size_t rows) {
  const std::size_t count = y.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t i = row * count; i < (row + 1) * count; ++i) sum += y[i] * dy[i];
    for (std::size_t i = row * count; i < (row + 1) * count; ++i) dy[i] = y[i] * (dy[i] - sum);
  }
  return dy;
}

}  // namespace convoy::kernels::reference
