#include "convoy/kernels/winograd/convolution.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels {
namespace {

using simd::TilePlace;

// In the order by weights: how many blocks of input channels (kDepth) and of output channels (kColumns) are transformed
// and multiplied at a time.
constexpr std::int64_t kDepth = 4;
constexpr std::int64_t kColumns = 2;

}  // namespace

template <typename Element>
std::size_t WinogradConvolution<Element>::scratch_bytes() const {
  Scratch scratch(nullptr, plan_.threads());
  (void)lay_out(scratch);
  return scratch.bytes();
}

template <typename Element>
void WinogradConvolution<Element>::run(const Element* source, const Element* weights, const float* bias,
                                       Element* result, float* scratchpad) const {
  Scratch scratch(scratchpad, plan_.threads());
  const Parts parts = lay_out(scratch);
  const Operands operands{source, weights, result, padded(bias, parts.bias)};
  if (plan_.order() == WinogradOrder::by_tiles) {
    run_by_tiles(operands, parts);
  } else {
    run_by_weights(operands, parts);
  }
}

template <typename Element>
typename WinogradConvolution<Element>::Parts WinogradConvolution<Element>::lay_out(Scratch& scratch) const {
  const bool by_tiles = plan_.order() == WinogradOrder::by_tiles;
  const int lanes = plan_.loops().block;
  const std::int64_t source_blocks = plan_.source().blocks;
  const std::int64_t result_blocks = plan_.result().blocks;
  Parts parts{};
  parts.values = {nullptr, plan_.block_tiles(), source_blocks, lanes};
  parts.products = {nullptr, plan_.block_tiles(), by_tiles ? result_blocks : kColumns, lanes};
  const std::int64_t values_floats = parts.values.floats(plan_.point_count());
  const std::int64_t square_floats = plan_.square_floats_at_points();
  parts.products.at = scratch.take_own(parts.products.floats(plan_.point_count()));
  if (by_tiles) {
    parts.values.at = scratch.take_own(values_floats);
    parts.weights = scratch.take(square_floats * plan_.weight_squares());
  } else {
    parts.weights = scratch.take_own(square_floats * kDepth * kColumns);
    parts.values.at = scratch.take(values_floats);
  }
  parts.bias = scratch.take(biases_ > 0 ? result_blocks * lanes : 0);
  parts.distance = scratch.distance();
  return parts;
}

// Copies the bias and fills it up with zeros to whole blocks of channels.
template <typename Element>
const float* WinogradConvolution<Element>::padded(const float* bias, float* copy) const {
  if (bias == nullptr) return nullptr;
  std::copy(bias, bias + biases_, copy);
  std::fill(copy + biases_, copy + plan_.result().blocks * plan_.loops().block, 0.0F);
  return copy;
}

template <typename Element>
void WinogradConvolution<Element>::weights_to_points(const Element* weights, std::int64_t result_block,
                                                     std::int64_t source_block, float* to) const {
  const Element* from = weights + plan_.square_of(result_block, source_block) * plan_.square_floats();
  const auto& ends = simd::ends_of<Element>(plan_.loops());
  const auto transform = plan_.rotated() ? ends.rotated_weights : ends.weights;
  transform(from, to, plan_.weights_point_stride());
}

template <typename Element>
void WinogradConvolution<Element>::results_from_points(const Operands& operands, const PointMatrices& products,
                                                       std::int64_t column, std::int64_t result_block,
                                                       std::int64_t first, std::int64_t count) const {
  const int lanes = plan_.loops().block;
  const auto result_tile = simd::ends_of<Element>(plan_.loops()).result_tile;
  const float* bias = operands.bias == nullptr ? nullptr : operands.bias + result_block * lanes;
  plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace /*source*/, TilePlace place) {
    result_tile(products.row(column, k), products.point_stride(), place, bias, activation_,
                operands.result + plan_.result().offset(sample, result_block, lanes));
  });
}

template <typename Element>
void WinogradConvolution<Element>::run_by_tiles(const Operands& operands, const Parts& parts) const {
  const std::int64_t depth = plan_.source().blocks;
  const std::int64_t columns = plan_.result().blocks;
  parallel_for(columns * depth, [&](std::int64_t i) {
    weights_to_points(operands.weights, i / depth, i % depth, parts.weights + i * plan_.square_floats_at_points());
  });
  Claims claims(plan_.tile_blocks(), plan_.threads());
  parallel_for(plan_.threads(), [&](std::int64_t thread) {
    PointMatrices values = parts.values;
    PointMatrices products = parts.products;
    values.at += thread * parts.distance;
    products.at += thread * parts.distance;
    claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t first = block * plan_.block_tiles();
        const std::int64_t count = std::min(plan_.block_tiles(), plan_.tiles() - first);
        for (std::int64_t b = 0; b < depth; ++b) source_to_points(plan_, operands.source, b, first, count, values);
        multiply_tiles(values, parts.weights, products, count);
        for (std::int64_t b = 0; b < columns; ++b) results_from_points(operands, products, b, b, first, count);
      }
    });
  });
}

// Multiplies a block of tiles with all weights.
template <typename Element>
void WinogradConvolution<Element>::multiply_tiles(const PointMatrices& values, const float* weights,
                                                  const PointMatrices& products, std::int64_t count) const {
  const std::int64_t depth = plan_.source().blocks;
  for (int point = 0; point < plan_.point_count(); ++point) {
    simd::product_loops().multiply({.v = values.at + point * values.point_stride(),
                                    .u = weights + point * plan_.weights_point_stride(),
                                    .m = products.at + point * products.point_stride(),
                                    .v_block = values.block_stride(),
                                    .u_block = plan_.square_floats_at_points(),
                                    .u_column = depth * plan_.square_floats_at_points(),
                                    .m_column = products.block_stride(),
                                    .rows = static_cast<int>(count),
                                    .blocks = static_cast<int>(depth),
                                    .columns = static_cast<int>(plan_.result().blocks),
                                    .accumulate = false});
  }
}

template <typename Element>
void WinogradConvolution<Element>::run_by_weights(const Operands& operands, const Parts& parts) const {
  const std::int64_t depth = plan_.source().blocks;
  // Two columns at once are faster, unless there are then too few for all threads.
  const std::int64_t together = plan_.result().blocks < kColumns * plan_.threads() ? 1 : kColumns;
  const std::int64_t groups = (plan_.result().blocks + together - 1) / together;
  parallel_for(depth,
               [&](std::int64_t b) { source_to_points(plan_, operands.source, b, 0, plan_.tiles(), parts.values); });
  Claims claims(groups, plan_.threads());
  parallel_for(plan_.threads(), [&](std::int64_t thread) {
    PointMatrices products = parts.products;
    products.at += thread * parts.distance;
    float* weights = parts.weights + thread * parts.distance;
    claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t group = begin; group < end; ++group) {
        const std::int64_t column = group * together;
        const std::int64_t columns = std::min(together, plan_.result().blocks - column);
        for (std::int64_t from = 0; from < depth; from += kDepth) {
          add_products(operands, parts.values, column, columns, from, weights, products);
        }
        for (std::int64_t c = 0; c < columns; ++c) {
          results_from_points(operands, products, c, column + c, 0, plan_.tiles());
        }
      }
    });
  });
}

// Adds the products of up to kDepth blocks of input channels, beginning at `from`.
template <typename Element>
void WinogradConvolution<Element>::add_products(const Operands& operands, const PointMatrices& values,
                                                std::int64_t first_column, std::int64_t columns, std::int64_t from,
                                                float* weights, const PointMatrices& products) const {
  const std::int64_t depth = std::min(kDepth, plan_.source().blocks - from);
  const std::int64_t square = plan_.square_floats_at_points();
  for (std::int64_t c = 0; c < columns; ++c) {
    for (std::int64_t k = 0; k < depth; ++k) {
      weights_to_points(operands.weights, first_column + c, from + k, weights + (c * kDepth + k) * square);
    }
  }
  for (int point = 0; point < plan_.point_count(); ++point) {
    simd::product_loops().multiply({.v = values.row(from, 0) + point * values.point_stride(),
                                    .u = weights + point * plan_.weights_point_stride(),
                                    .m = products.at + point * products.point_stride(),
                                    .v_block = values.block_stride(),
                                    .u_block = square,
                                    .u_column = kDepth * square,
                                    .m_column = products.block_stride(),
                                    .rows = static_cast<int>(plan_.tiles()),
                                    .blocks = static_cast<int>(depth),
                                    .columns = static_cast<int>(columns),
                                    .accumulate = from > 0});
  }
}

template class WinogradConvolution<float>;
template class WinogradConvolution<BFloat16>;

}  // namespace convoy::kernels
