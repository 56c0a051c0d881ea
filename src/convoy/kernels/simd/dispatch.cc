#include "convoy/base/check.h"
#include "convoy/kernels/device.h"
#include "convoy/kernels/simd/amx.h"
#include "convoy/kernels/simd/dense.h"
#include "convoy/kernels/simd/loops.h"
#include "convoy/kernels/simd/pair_packing.h"
#include "convoy/kernels/simd/products.h"
#include "convoy/kernels/simd/winograd.h"

namespace convoy::kernels::simd {

namespace avx512 {
extern const Loops<float> kLoops;
extern const Loops<BFloat16> kBFloat16Loops;
extern const DenseLoops<float> kDenseLoops;
extern const DenseLoops<BFloat16> kBFloat16DenseLoops;
extern const ProductLoops kProducts;
extern const WinogradLoops kWinograd[kWinogradSchemes];
}  // namespace avx512
namespace avx2 {
extern const Loops<float> kLoops;
extern const Loops<BFloat16> kBFloat16Loops;
extern const DenseLoops<float> kDenseLoops;
extern const DenseLoops<BFloat16> kBFloat16DenseLoops;
extern const ProductLoops kProducts;
extern const WinogradLoops kWinograd[kWinogradSchemes];
}  // namespace avx2
namespace avx512bf16 {
extern const Loops<BFloat16> kBFloat16Loops;
extern const WinogradLoops kWinograd[kWinogradSchemes];
extern const PairPacking kPairPacking;
extern const Products<BFloat16Pair> kPairProducts;
extern const PairedWinograd kPairedWinograd[kPairedWinogradSchemes];
}  // namespace avx512bf16
namespace amx {
extern const AmxLoops kAmxLoops;
}  // namespace amx
namespace baseline {
extern const Loops<float> kLoops;
extern const Loops<BFloat16> kBFloat16Loops;
extern const DenseLoops<float> kDenseLoops;
extern const DenseLoops<BFloat16> kBFloat16DenseLoops;
extern const ProductLoops kProducts;
extern const WinogradLoops kWinograd[kWinogradSchemes];
}  // namespace baseline

namespace {

struct Tables {
  const Loops<float>* loops;
  const Loops<BFloat16>* bfloat16_loops;
  const DenseLoops<float>* dense;
  const DenseLoops<BFloat16>* bfloat16_dense;
  const ProductLoops* products;
  const WinogradLoops* winograd;
};

Tables tables_for_this_machine() {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return {&avx512::kLoops,      has_bf16_instructions() ? &avx512bf16::kBFloat16Loops : &avx512::kBFloat16Loops,
              &avx512::kDenseLoops, &avx512::kBFloat16DenseLoops,
              &avx512::kProducts,   has_bf16_instructions() ? avx512bf16::kWinograd : avx512::kWinograd};
    case InstructionSet::avx2:
      return {&avx2::kLoops,    &avx2::kBFloat16Loops, &avx2::kDenseLoops, &avx2::kBFloat16DenseLoops,
              &avx2::kProducts, avx2::kWinograd};
    default:
      return {&baseline::kLoops,    &baseline::kBFloat16Loops, &baseline::kDenseLoops, &baseline::kBFloat16DenseLoops,
              &baseline::kProducts, baseline::kWinograd};
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

template <>
const Loops<float>& loops() {
  return *tables().loops;
}
template <>
const Loops<BFloat16>& loops() {
  return *tables().bfloat16_loops;
}

template <>
const DenseLoops<float>& dense_loops() {
  return *tables().dense;
}
template <>
const DenseLoops<BFloat16>& dense_loops() {
  return *tables().bfloat16_dense;
}

const ProductLoops& product_loops() { return *tables().products; }

template <>
const Products<float>& products_of() {
  return product_loops().floats;
}
template <>
const Products<BFloat16Pair>& products_of() {
  return avx512bf16::kPairProducts;
}

const PairPacking* pair_packing() {
  static const PairPacking* const packing = has_bf16_instructions() ? &avx512bf16::kPairPacking : nullptr;
  return packing;
}

const AmxLoops* amx_loops() {
  return has_matrix_registers() && channel_block() == kTileRows ? &amx::kAmxLoops : nullptr;
}

const WinogradLoops* winograd_loops(int taps, int outputs) {
  for (int i = 0; i < kWinogradSchemes; ++i) {
    const WinogradLoops* scheme = tables().winograd + i;
    if (scheme->taps == taps && scheme->outputs == outputs) return scheme;
  }
  return nullptr;
}

const WinogradEnds<BFloat16, BFloat16Pair>* winograd_pairs(int taps, int outputs) {
  if (!has_bf16_instructions()) return nullptr;
  for (const PairedWinograd& scheme : avx512bf16::kPairedWinograd) {
    if (scheme.taps == taps && scheme.outputs == outputs) return &scheme.ends;
  }
  return nullptr;
}

}  // namespace convoy::kernels::simd
