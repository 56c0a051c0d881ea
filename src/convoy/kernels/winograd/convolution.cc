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

// In the order by tiles: how many bytes of weights at points each thread computes for itself. That takes less time than
// fetching those of other threads out of their cores' caches.
constexpr std::int64_t kOwnPointBytes = std::int64_t{4} << 20;

}  // namespace

template <typename Element, typename Cell>
bool WinogradConvolution<Element, Cell>::own_weights() const {
  return plan_.weight_squares() * plan_.square_cells<Cell>() * std::int64_t{sizeof(Cell)} <= kOwnPointBytes;
}

template <typename Element, typename Cell>
std::size_t WinogradConvolution<Element, Cell>::scratch_bytes() const {
  Scratch scratch(nullptr, plan_.threads());
  (void)lay_out(scratch);
  return scratch.bytes();
}

template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::run(const Element* source, const Element* weights, const float* bias,
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

template <typename Element, typename Cell>
typename WinogradConvolution<Element, Cell>::Parts WinogradConvolution<Element, Cell>::lay_out(Scratch& scratch) const {
  const bool by_tiles = plan_.order() == WinogradOrder::by_tiles;
  const int lanes = plan_.loops().block;
  const std::int64_t source_blocks = plan_.source().blocks;
  const std::int64_t result_blocks = plan_.result().blocks;
  const std::int64_t square = plan_.square_cells<Cell>();
  const auto cells = [](float* part) { return reinterpret_cast<Cell*>(part); };
  static_assert(sizeof(Cell) == sizeof(float));
  Parts parts{};
  parts.values = {nullptr, plan_.block_tiles(), source_blocks, static_cast<int>(cells_of<Cell>(lanes))};
  parts.products = {nullptr, plan_.block_tiles(), by_tiles ? result_blocks : kColumns, lanes};
  const std::int64_t values = parts.values.cells(plan_.point_count());
  parts.products.at = scratch.take_own(parts.products.cells(plan_.point_count()));
  if (by_tiles) {
    parts.values.at = cells(scratch.take_own(values));
    const std::int64_t weights = square * plan_.weight_squares();
    parts.weights = cells(own_weights() ? scratch.take_own(weights) : scratch.take(weights));
  } else {
    parts.weights = cells(scratch.take_own(square * kDepth * kColumns));
    parts.values.at = cells(scratch.take(values));
  }
  parts.bias = scratch.take(biases_ > 0 ? result_blocks * lanes : 0);
  parts.distance = scratch.distance();
  return parts;
}

// Copies the bias and fills it up with zeros to whole blocks of channels.
template <typename Element, typename Cell>
const float* WinogradConvolution<Element, Cell>::padded(const float* bias, float* copy) const {
  if (bias == nullptr) return nullptr;
  std::copy(bias, bias + biases_, copy);
  std::fill(copy + biases_, copy + plan_.result().blocks * plan_.loops().block, 0.0F);
  return copy;
}

template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::weights_to_points(const Element* weights, std::int64_t result_block,
                                                           std::int64_t source_block, Cell* to) const {
  const Element* from = weights + plan_.square_of(result_block, source_block) * plan_.square_elements();
  const auto transform = plan_.rotated() ? ends_->rotated_weights : ends_->weights;
  transform(from, to, plan_.weights_point_stride<Cell>());
}

// Transforms tiles first to first + count of one block of channels.
template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::source_to_points(const Element* source, std::int64_t block, std::int64_t first,
                                                          std::int64_t count, const PointMatrices<Cell>& values) const {
  plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace place, TilePlace /*result*/) {
    ends_->source_row({source + plan_.source().offset(sample, block, plan_.loops().block), place}, values.row(block, k),
                      values.point_stride());
  });
}

template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::results_from_points(const Operands& operands,
                                                             const PointMatrices<float>& products, std::int64_t column,
                                                             std::int64_t result_block, std::int64_t first,
                                                             std::int64_t count) const {
  const int lanes = plan_.loops().block;
  const float* bias = operands.bias == nullptr ? nullptr : operands.bias + result_block * lanes;
  plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace /*source*/, TilePlace place) {
    ends_->result_tile(products.row(column, k), products.point_stride(), place, bias, activation_,
                       operands.result + plan_.result().offset(sample, result_block, lanes));
  });
}

template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::run_by_tiles(const Operands& operands, const Parts& parts) const {
  const std::int64_t depth = plan_.source().blocks;
  const std::int64_t columns = plan_.result().blocks;
  const auto square_to_points = [&](std::int64_t i, Cell* weights) {
    weights_to_points(operands.weights, i / depth, i % depth, weights + i * plan_.square_cells<Cell>());
  };
  const bool own = own_weights();
  if (!own) parallel_for(plan_.weight_squares(), [&](std::int64_t i) { square_to_points(i, parts.weights); });
  Claims claims(plan_.tile_blocks(), plan_.threads());
  parallel_for(plan_.threads(), [&](std::int64_t thread) {
    PointMatrices<Cell> values = parts.values;
    PointMatrices<float> products = parts.products;
    values.at += thread * parts.distance;
    products.at += thread * parts.distance;
    Cell* const weights = parts.weights + (own ? thread * parts.distance : 0);
    for (std::int64_t i = 0; own && i < plan_.weight_squares(); ++i) square_to_points(i, weights);
    claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t first = block * plan_.block_tiles();
        const std::int64_t count = std::min(plan_.block_tiles(), plan_.tiles() - first);
        for (std::int64_t b = 0; b < depth; ++b) source_to_points(operands.source, b, first, count, values);
        multiply_tiles(values, weights, products, count);
        for (std::int64_t b = 0; b < columns; ++b) results_from_points(operands, products, b, b, first, count);
      }
    });
  });
}

// Multiplies a block of tiles with all weights.
template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::multiply_tiles(const PointMatrices<Cell>& values, const Cell* weights,
                                                        const PointMatrices<float>& products,
                                                        std::int64_t count) const {
  const std::int64_t depth = plan_.source().blocks;
  for (int point = 0; point < plan_.point_count(); ++point) {
    simd::products_of<Cell>().multiply({.v = values.at + point * values.point_stride(),
                                        .u = weights + point * plan_.weights_point_stride<Cell>(),
                                        .m = products.at + point * products.point_stride(),
                                        .v_block = values.block_stride(),
                                        .u_block = plan_.square_cells<Cell>(),
                                        .u_column = depth * plan_.square_cells<Cell>(),
                                        .m_column = products.block_stride(),
                                        .rows = static_cast<int>(count),
                                        .blocks = static_cast<int>(depth),
                                        .columns = static_cast<int>(plan_.result().blocks),
                                        .accumulate = false});
  }
}

template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::run_by_weights(const Operands& operands, const Parts& parts) const {
  const std::int64_t depth = plan_.source().blocks;
  // Two columns at once are faster, unless there are then too few for all threads.
  const std::int64_t together = plan_.result().blocks < kColumns * plan_.threads() ? 1 : kColumns;
  const std::int64_t groups = (plan_.result().blocks + together - 1) / together;
  parallel_for(depth, [&](std::int64_t b) { source_to_points(operands.source, b, 0, plan_.tiles(), parts.values); });
  Claims claims(groups, plan_.threads());
  parallel_for(plan_.threads(), [&](std::int64_t thread) {
    PointMatrices<float> products = parts.products;
    products.at += thread * parts.distance;
    Cell* weights = parts.weights + thread * parts.distance;
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
template <typename Element, typename Cell>
void WinogradConvolution<Element, Cell>::add_products(const Operands& operands, const PointMatrices<Cell>& values,
                                                      std::int64_t first_column, std::int64_t columns,
                                                      std::int64_t from, Cell* weights,
                                                      const PointMatrices<float>& products) const {
  const std::int64_t depth = std::min(kDepth, plan_.source().blocks - from);
  const std::int64_t square = plan_.square_cells<Cell>();
  for (std::int64_t c = 0; c < columns; ++c) {
    for (std::int64_t k = 0; k < depth; ++k) {
      weights_to_points(operands.weights, first_column + c, from + k, weights + (c * kDepth + k) * square);
    }
  }
  for (int point = 0; point < plan_.point_count(); ++point) {
    simd::products_of<Cell>().multiply({.v = values.row(from, 0) + point * values.point_stride(),
                                        .u = weights + point * plan_.weights_point_stride<Cell>(),
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

template class WinogradConvolution<float, float>;
template class WinogradConvolution<BFloat16, float>;
template class WinogradConvolution<BFloat16, simd::BFloat16Pair>;

}  // namespace convoy::kernels
