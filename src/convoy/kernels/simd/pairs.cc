// Products of pairs of bf16 numbers, and winograd convolutions with them. Compiled for processors with bf16
// instructions.
#include "convoy/kernels/simd/block_products.h"
#include "convoy/kernels/simd/winograd.h"
#include "convoy/kernels/simd/winograd_ends.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

template <int kPairs, int kTaps>
constexpr PairedWinograd paired() {
  return {.taps = kTaps, .outputs = kOutputsOf<kPairs, kTaps>, .ends = ends<kPairs, kTaps, BFloat16, BFloat16Pair>()};
}

}  // namespace

extern const Products<BFloat16Pair> kPairProducts;
constinit const Products<BFloat16Pair> kPairProducts = kProductsOf<BFloat16Pair>;

// Others have eight points a side: rounding there costs too many digits.
extern const PairedWinograd kPairedWinograd[kPairedWinogradSchemes];
constinit const PairedWinograd kPairedWinograd[kPairedWinogradSchemes] = {paired<1, 3>(), paired<2, 3>(),
                                                                          paired<2, 5>()};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
