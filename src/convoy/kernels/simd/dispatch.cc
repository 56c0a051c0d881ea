#include "convoy/base/check.h"
#include "convoy/kernels/device.h"
#include "convoy/kernels/simd/loops.h"
#include "convoy/kernels/simd/winograd.h"

namespace convoy::kernels::simd {

namespace avx512 {
extern const Loops kLoops;
extern const WinogradLoops kWinograd[kWinogradSchemes];
}  // namespace avx512
namespace avx2 {
extern const Loops kLoops;
extern const WinogradLoops kWinograd[kWinogradSchemes];
}  // namespace avx2
namespace baseline {
extern const Loops kLoops;
extern const WinogradLoops kWinograd[kWinogradSchemes];
}  // namespace baseline

namespace {

struct Tables {
  const Loops* loops;
  const WinogradLoops* winograd;
};

Tables tables_for_this_machine() {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return {&avx512::kLoops, avx512::kWinograd};
    case InstructionSet::avx2:
      return {&avx2::kLoops, avx2::kWinograd};
    default:
      return {&baseline::kLoops, baseline::kWinograd};
  }
}

const Tables& tables() {
  static const Tables chosen = [] {
    const Tables found = tables_for_this_machine();
    CONVOY_CHECK_EQ(found.loops->block, channel_block());
    return found;
  }();
  return chosen;
}

}  // namespace

const Loops& loops() { return *tables().loops; }

const WinogradLoops* winograd_loops(int taps, int outputs) {
  for (int i = 0; i < kWinogradSchemes; ++i) {
    const WinogradLoops* scheme = tables().winograd + i;
    if (scheme->taps == taps && scheme->outputs == outputs) return scheme;
  }
  return nullptr;
}

}  // namespace convoy::kernels::simd
