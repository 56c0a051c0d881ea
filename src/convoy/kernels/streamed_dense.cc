#include "convoy/kernels/streamed_dense.h"

#include <algorithm>
#include <utility>

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/own_dense.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/dense.h"

namespace convoy::kernels {
namespace {

constexpr const char* kName = "convoy:streamed_dense";

// The sizes of the products, in the words of simd/dense.h.
struct StreamedDense {
  std::int64_t samples, vectors, outputs;
  std::int64_t block;

  [[nodiscard]] std::int64_t row() const { return vectors * block; }
  [[nodiscard]] std::int64_t panel_floats() const { return samples * row(); }
  // For the panel and a value for each output of each sample.
  [[nodiscard]] std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(panel_floats() + samples * outputs) * sizeof(float);
  }
};

float activated_value(float value, Activation activation) {
  if (activation == Activation::none) return value;
  const float low = value < 0.0F ? 0.0F : value;  // passes NaN through, like the vector loops
  return activation == Activation::relu6 && low > 6.0F ? 6.0F : low;
}

// result[sample][output] = activation(sums[output][sample] + bias[output])
template <typename Result>
void finish(const StreamedDense& d, const float* sums, const float* bias, Activation activation, Result* result) {
  parallel_for(d.samples, [&](std::int64_t s) {
    for (std::int64_t o = 0; o < d.outputs; ++o) {
      const float sum = sums[o * d.samples + s] + (bias == nullptr ? 0.0F : bias[o]);
      result[s * d.outputs + o] = from_float<Result>(activated_value(sum, activation));
    }
  });
}

template <typename Element, typename Result>
void forward(const StreamedDense& d, const Element* source, const Element* weights, const float* bias,
             Activation activation, Result* result, float* scratch) {
  const simd::DenseLoops<Element>& loops = simd::dense_loops<Element>();
  float* const panel = scratch;
  float* const sums = scratch + d.panel_floats();
  loops.to_panel(source, d.samples, d.vectors, panel);
  parallel_ranges(d.outputs, loops.outputs, [&](std::int64_t first, std::int64_t last) {
    loops.products(weights + first * d.row(), d.row(), last - first, panel, d.samples, d.vectors,
                   sums + first * d.samples);
  });
  finish(d, sums, bias, activation, result);
}

// A thread takes a strip of columns through all rows of the weights, some rows at a time: what the strip's sums are
// made of stays in the first-level cache while all samples use it.
template <typename Element>
void accumulate_strip(const StreamedDense& d, const Element* weights, const float* gradients, std::int64_t first,
                      std::int64_t last, float* panel) {
  constexpr std::int64_t kRows = 32;
  const simd::DenseLoops<Element>& loops = simd::dense_loops<Element>();
  float* const strip = panel + first * d.samples * d.block;
  std::fill(strip, panel + last * d.samples * d.block, 0.0F);
  for (std::int64_t o = 0; o < d.outputs; o += kRows) {
    loops.accumulate(weights + o * d.row() + first * d.block, d.row(), std::min(kRows, d.outputs - o),
                     gradients + o * d.samples, d.samples, last - first, strip);
  }
}

template <typename Element>
void backward_data(const StreamedDense& d, const Element* gradient, const Element* weights, Element* result,
                   float* scratch) {
  constexpr std::int64_t kStripVectors = 64;  // a page of floats, so that the processor foresees what is read next
  float* const panel = scratch;
  float* const gradients = scratch + d.panel_floats();  // [output][sample]
  for (std::int64_t s = 0; s < d.samples; ++s) {
    for (std::int64_t o = 0; o < d.outputs; ++o) gradients[o * d.samples + s] = to_float(gradient[s * d.outputs + o]);
  }
  const std::int64_t share = (d.vectors + omp_get_max_threads() - 1) / omp_get_max_threads();
  parallel_ranges(d.vectors, std::min(kStripVectors, share), [&](std::int64_t first, std::int64_t last) {
    accumulate_strip(d, weights, gradients, first, last, panel);
  });
  simd::dense_loops<Element>().from_panel(panel, d.samples, d.vectors, result);
}

template <typename Element, typename Result>
PreparedPtr forward_operator(const StreamedDense& dense, const DenseProblem& p, const DenseLayouts& layouts) {
  return own_dense_operator(
      kName,
      {{Role::source, layouts.source},
       {Role::weights, layouts.weights},
       {Role::bias, layouts.bias},
       {Role::destination, layouts.destination}},
      dense.scratch_bytes(), [dense, bias = p.bias, activation = p.activation](const Bindings& memory) {
        forward(dense, memory.as<const Element>(Role::source), memory.as<const Element>(Role::weights),
                bias ? memory.as<const float>(Role::bias) : nullptr, activation, memory.as<Result>(Role::destination),
                memory.as<float>(Role::scratchpad));
      });
}

template <typename Element>
PreparedPtr backward_data_operator(const StreamedDense& dense, const DenseLayouts& layouts) {
  return own_dense_operator(kName,
                            {{Role::diff_destination, layouts.gradient},
                             {Role::weights, layouts.weights},
                             {Role::diff_source, layouts.source}},
                            dense.scratch_bytes(), [dense](const Bindings& memory) {
                              backward_data(dense, memory.as<const Element>(Role::diff_destination),
                                            memory.as<const Element>(Role::weights),
                                            memory.as<Element>(Role::diff_source), memory.as<float>(Role::scratchpad));
                            });
}

template <typename Element>
std::vector<PreparedPtr> candidates_of(const DenseProblem& p, Pass pass) {
  const DenseLayouts layouts(p);
  const std::int64_t block = simd::dense_loops<Element>().block;
  if (layouts.in % block != 0) return {};
  const StreamedDense dense{.samples = p.batch, .vectors = layouts.in / block, .outputs = p.out, .block = block};
  if (pass == Pass::backward_data) return {backward_data_operator<Element>(dense, layouts)};
  if (pass != Pass::forward) return {};
  return {with_element(p.destination_type,
                       [&]<typename Result>() { return forward_operator<Element, Result>(dense, p, layouts); })};
}

}  // namespace

std::vector<PreparedPtr> streamed_dense_candidates(const DenseProblem& problem, Pass pass) {
  return with_element(problem.type, [&]<typename Element>() { return candidates_of<Element>(problem, pass); });
}

}  // namespace convoy::kernels
