#include "convoy/base/check.h"
#include "convoy/kernels/device.h"
#include "convoy/kernels/simd/loops.h"

namespace convoy::kernels::simd {

extern const Loops loops_avx512;
extern const Loops loops_avx2;
extern const Loops loops_baseline;

const Loops& loops() {
  static const Loops& table = []() -> const Loops& {
    const Loops* chosen = &loops_baseline;
    if (channel_block() == 16) {
      chosen = &loops_avx512;
    } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      chosen = &loops_avx2;
    }
    CONVOY_CHECK_EQ(chosen->block, channel_block());
    return *chosen;
  }();
  return table;
}

}  // namespace convoy::kernels::simd
