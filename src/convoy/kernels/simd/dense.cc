#include "convoy/kernels/simd/dense.h"

#include <algorithm>

#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

// Sums that fit the registers, with what they are made of: 32 registers where a block is 16 floats, otherwise 16.
constexpr int kOutputs = kBlock == 16 ? 6 : 3;
constexpr int kSamples = 4;
constexpr int kGradientSamples = kBlock == 16 ? 8 : 4;

// Vectors of a row that are worked on before the next: with 32 rows of weights they fit the first-level cache.
constexpr std::int64_t kNearVectors = 16;

template <typename Element>
void to_panel(const Element* rows, std::int64_t samples, std::int64_t vectors, float* panel) {
  for (std::int64_t k = 0; k < vectors; ++k) {
    for (std::int64_t s = 0; s < samples; ++s, panel += kBlock) store(panel, load(rows + (s * vectors + k) * kBlock));
  }
}

template <typename Element>
void from_panel(const float* panel, std::int64_t samples, std::int64_t vectors, Element* rows) {
  for (std::int64_t k = 0; k < vectors; ++k) {
    for (std::int64_t s = 0; s < samples; ++s, panel += kBlock) store(rows + (s * vectors + k) * kBlock, load(panel));
  }
}

float sum_of_lanes(Vector v) {
  float lanes[kBlock];
  store(lanes, v);
  for (int half = kBlock / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

template <int kRows, int kColumns, typename Element>
void products_of(const Element* weights, std::int64_t stride, const float* panel, std::int64_t samples,
                 std::int64_t vectors, float* sums) {
  Vector sum[kRows][kColumns] = {};
  for (std::int64_t k = 0; k < vectors; ++k, panel += samples * kBlock) {
    Vector w[kRows];
    for (int r = 0; r < kRows; ++r) w[r] = load(weights + r * stride + k * kBlock);
    for (int c = 0; c < kColumns; ++c) {
      const Vector x = load(panel + c * kBlock);
      for (int r = 0; r < kRows; ++r) sum[r][c] += w[r] * x;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) sums[r * samples + c] = sum_of_lanes(sum[r][c]);
  }
}

template <int kRows, typename Element>
void products_of_rows(const Element* weights, std::int64_t stride, const float* panel, std::int64_t samples,
                      std::int64_t vectors, float* sums) {
  std::int64_t s = 0;
  for (; s + kSamples <= samples; s += kSamples) {
    products_of<kRows, kSamples>(weights, stride, panel + s * kBlock, samples, vectors, sums + s);
  }
  for (; s < samples; ++s) products_of<kRows, 1>(weights, stride, panel + s * kBlock, samples, vectors, sums + s);
}

template <typename Element>
void products(const Element* weights, std::int64_t stride, std::int64_t outputs, const float* panel,
              std::int64_t samples, std::int64_t vectors, float* sums) {
  std::int64_t o = 0;
  for (; o + kOutputs <= outputs; o += kOutputs) {
    products_of_rows<kOutputs>(weights + o * stride, stride, panel, samples, vectors, sums + o * samples);
  }
  for (; o < outputs; ++o) {
    products_of_rows<1>(weights + o * stride, stride, panel, samples, vectors, sums + o * samples);
  }
}

template <int kVectors, int kColumns, typename Element>
void accumulate_to(const Element* weights, std::int64_t stride, std::int64_t outputs, const float* gradients,
                   std::int64_t samples, float* panel) {
  Vector sum[kVectors][kColumns];
  for (int v = 0; v < kVectors; ++v) {
    for (int c = 0; c < kColumns; ++c) sum[v][c] = load(panel + (v * samples + c) * kBlock);
  }
  for (std::int64_t o = 0; o < outputs; ++o, weights += stride, gradients += samples) {
    Vector w[kVectors];
    for (int v = 0; v < kVectors; ++v) w[v] = load(weights + v * kBlock);
    for (int c = 0; c < kColumns; ++c) {
      const Vector g = all(gradients[c]);
      for (int v = 0; v < kVectors; ++v) sum[v][c] += w[v] * g;
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    for (int c = 0; c < kColumns; ++c) store(panel + (v * samples + c) * kBlock, sum[v][c]);
  }
}

template <int kColumns, typename Element>
void accumulate_to_vectors(const Element* weights, std::int64_t stride, std::int64_t outputs, const float* gradients,
                           std::int64_t samples, std::int64_t vectors, float* panel) {
  std::int64_t v = 0;
  for (; v + 2 <= vectors; v += 2) {
    accumulate_to<2, kColumns>(weights + v * kBlock, stride, outputs, gradients, samples, panel + v * samples * kBlock);
  }
  if (v == vectors) return;
  accumulate_to<1, kColumns>(weights + v * kBlock, stride, outputs, gradients, samples, panel + v * samples * kBlock);
}

template <typename Element>
void accumulate(const Element* weights, std::int64_t stride, std::int64_t outputs, const float* gradients,
                std::int64_t samples, std::int64_t vectors, float* panel) {
  for (std::int64_t v = 0; v < vectors; v += kNearVectors) {
    const std::int64_t near = std::min(kNearVectors, vectors - v);
    const Element* const w = weights + v * kBlock;
    float* const sums = panel + v * samples * kBlock;
    std::int64_t s = 0;
    for (; s + kGradientSamples <= samples; s += kGradientSamples) {
      accumulate_to_vectors<kGradientSamples>(w, stride, outputs, gradients + s, samples, near, sums + s * kBlock);
    }
    for (; s < samples; ++s) {
      accumulate_to_vectors<1>(w, stride, outputs, gradients + s, samples, near, sums + s * kBlock);
    }
  }
}

template <typename Element>
constexpr DenseLoops<Element> table() {
  return {.block = kBlock,
          .outputs = kOutputs,
          .to_panel = to_panel<Element>,
          .from_panel = from_panel<Element>,
          .products = products<Element>,
          .accumulate = accumulate<Element>};
}

}  // namespace

extern const DenseLoops<float> kDenseLoops;
constinit const DenseLoops<float> kDenseLoops = table<float>();
extern const DenseLoops<BFloat16> kBFloat16DenseLoops;
constinit const DenseLoops<BFloat16> kBFloat16DenseLoops = table<BFloat16>();

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
