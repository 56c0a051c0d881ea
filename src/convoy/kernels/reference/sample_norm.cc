#include "convoy/kernels/reference/sample_norm.h"

#include <cmath>

namespace convoy::kernels::reference {

std::size_t SampleNorm::factor(std::size_t i) const {
  const std::size_t in_sample = i % (channels * pixels);
  return per_element ? in_sample : in_sample / pixels;
}

Values SampleNorm::normal(const Values& x, Values* inverse_deviations) const {
  Values y = x;
  if (inverse_deviations != nullptr) *inverse_deviations = x;
  const std::size_t length = channels / groups * pixels;
  for (std::size_t begin = 0; begin < x.size(); begin += length) {
    double mean = 0;
    for (std::size_t i = begin; i < begin + length; ++i) mean += x[i] / static_cast<double>(length);
    double variance = 0;
    for (std::size_t i = begin; i < begin + length; ++i) variance += (x[i] - mean) * (x[i] - mean);
    const double inverse = 1 / std::sqrt(variance / static_cast<double>(length) + epsilon);
    for (std::size_t i = begin; i < begin + length; ++i) {
      y[i] = (x[i] - mean) * inverse;
      if (inverse_deviations != nullptr) (*inverse_deviations)[i] = inverse;
    }
  }
  return y;
}

Values SampleNorm::forward(const Values& x, const Values& scale, const Values& shift) const {
  Values y = normal(x);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = y[i] * scale[factor(i)] + shift[factor(i)];
  return y;
}

SampleNorm::Gradients SampleNorm::backward(const Values& x, const Values& scale, const Values& dy) const {
  Values inverse;
  const Values normalised = normal(x, &inverse);
  Gradients found{.x = x, .scale = Values(scale.size(), 0), .shift = Values(scale.size(), 0)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    found.scale[factor(i)] += dy[i] * normalised[i];
    found.shift[factor(i)] += dy[i];
  }
  const std::size_t length = channels / groups * pixels;
  for (std::size_t begin = 0; begin < x.size(); begin += length) {
    double sum = 0;
    double product = 0;
    for (std::size_t i = begin; i < begin + length; ++i) {
      sum += dy[i] * scale[factor(i)] / static_cast<double>(length);
      product += dy[i] * scale[factor(i)] * normalised[i] / static_cast<double>(length);
    }
    for (std::size_t i = begin; i < begin + length; ++i) {
      found.x[i] = (dy[i] * scale[factor(i)] - sum - normalised[i] * product) * inverse[i];
    }
  }
  return found;
}

}  // namespace convoy::kernels::reference
