// Naive twins of the operators that treat every element alike, for tests.
#pragma once

#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

[[nodiscard]] Values activate(Activation activation, Values x);

// The gradient before the activation, from its result y and the gradient after it.
[[nodiscard]] Values activate_backward(Activation activation, const Values& y, Values dy);

[[nodiscard]] Values add(const Values& a, const Values& b);

// What decides which elements dropout keeps.
struct DropoutDraws {
  double rate = 0;
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::uint64_t stream = 0;        // that of the layer
  std::uint64_t first_sample = 0;  // the place of the first row in the global batch
};

// x has `samples` rows, one after the other. Each element is drawn by itself: the step of a layer has a key, words 0
// and 1 of philox(seed, stream, step). Element i of sample s has the sixteen bits at place i % 8 (of four words, the
// lower half first) of philox(key, s, i / 8). If they are at least rate * 2^16, it is kept and divided by 1 - rate. The
// gradient is treated the same way.
[[nodiscard]] Values dropout(const DropoutDraws& draws, std::size_t samples, Values x);

}  // namespace convoy::kernels::reference
