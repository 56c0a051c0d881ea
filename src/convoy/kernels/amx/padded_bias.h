// The bias of a layer, filled up with zeros to whole blocks of channels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

// Copies `count` values to `copy`, which has room for `blocks` blocks, and returns it; null remains null.
inline const float* padded_bias(const float* bias, std::int64_t count, std::int64_t blocks, float* copy) {
  if (bias == nullptr) return nullptr;
  std::copy(bias, bias + count, copy);
  std::fill(copy + count, copy + blocks * simd::kTileRows, 0.0F);
  return copy;
}

}  // namespace convoy::kernels
