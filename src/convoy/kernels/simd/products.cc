// Compiled once for each instruction set, like loops.cc.
#include "convoy/kernels/simd/products.h"

#include "convoy/kernels/simd/block_products.h"
#include "convoy/kernels/simd/square.h"
#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

void copy_pixels(const float* from, std::int64_t from_step, float* to, std::int64_t to_step, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) store(to + i * to_step, load(from + i * from_step));
}

}  // namespace

extern const ProductLoops kProducts;
constinit const ProductLoops kProducts = {
    .block = kBlock, .floats = kProductsOf<float>, .copy_pixels = copy_pixels, .transpose = transpose<float>};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
