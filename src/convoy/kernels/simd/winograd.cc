// Compiled once for each instruction set, like loops.cc.
#include "convoy/kernels/simd/winograd.h"

#include "convoy/kernels/simd/vector.h"
#include "convoy/kernels/simd/winograd_ends.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

template <int kPairs, int kTaps>
void weights_gradient_square(const float* values, std::int64_t stride, float* gradient) {
  for (int in = 0; in < kBlock; ++in) {
    float* row = gradient + in * kBlock;
    collect_tile<kPairs, kTaps, true>(values + in * kBlock, stride, [&](int i, int j, Vector v) {
      store(row + (i * kTaps + j) * kBlock * kBlock, v);
    });
  }
}

template <int kPairs, int kTaps>
constexpr WinogradLoops scheme() {
  return {.block = kBlock,
          .taps = kTaps,
          .outputs = kOutputsOf<kPairs, kTaps>,
          .points = kPointsOf<kPairs>,
          .floats = ends<kPairs, kTaps, float, float>(),
          .halves = ends<kPairs, kTaps, BFloat16, float>(),
          .weights_gradient = weights_gradient_square<kPairs, kTaps>};
}

}  // namespace

// Initialised at compile time, because no code of this file may run on a processor that it was not made for.
extern const WinogradLoops kWinograd[kWinogradSchemes];
constinit const WinogradLoops kWinograd[kWinogradSchemes] = {scheme<1, 3>(), scheme<2, 3>(), scheme<3, 3>(),
                                                             scheme<2, 5>(), scheme<3, 5>()};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
