#include "convoy/kernels/reference/elementwise.h"

#include <algorithm>

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

}  // namespace convoy::kernels::reference
