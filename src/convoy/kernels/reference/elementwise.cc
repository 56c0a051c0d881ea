#include "convoy/kernels/reference/elementwise.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/rng.h"

namespace convoy::kernels::reference {

Values activate(Activation activation, Values x) {
  for (double& v : x) {
    if (activation != Activation::none) v = std::max(v, 0.0);
    if (activation == Activation::relu6) v = std::min(v, 6.0);
  }
  return x;
}

Values activate_backward(Activation activation, const Values& y, Values dy) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool too_low = activation != Activation::none && y[i] <= 0;
    const bool too_high = activation == Activation::relu6 && y[i] >= 6;
    if (too_low || too_high) dy[i] = 0;
  }
  return dy;
}

Values add(const Values& a, const Values& b) {
  Values sum = a;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
  return sum;
}

Values dropout(const DropoutDraws& draws, std::size_t samples, Values x) {
  const auto key_words = philox(draws.seed, draws.stream, draws.step);
  const std::uint64_t key = key_words[0] + (std::uint64_t{key_words[1]} << 32U);
  const std::size_t row = x.size() / samples;
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::size_t i = at % row;
    const auto words = philox(key, draws.first_sample + at / row, i / 8);
    const std::uint32_t pair = words[i % 8 / 2];
    const std::uint32_t bits = i % 2 == 0 ? pair % 65536 : pair / 65536;
    x[at] *= bits >= std::round(draws.rate * 65536) ? 1 / (1 - draws.rate) : 0;
  }
  return x;
}

}  // namespace convoy::kernels::reference
