#include "convoy/kernels/winograd/gradient.h"

#include <algorithm>
#include <array>

#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels {

using simd::TilePlace;

template <typename Element, typename Cell>
std::size_t WinogradGradient<Element, Cell>::scratch_bytes() const {
  Scratch scratch(nullptr, plan_.threads());
  (void)lay_out(scratch);
  return scratch.bytes();
}

template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::run(const Element* source, const Element* gradient, float* diff_weights,
                                          float* diff_bias, float* scratchpad) const {
  Scratch scratch(scratchpad, plan_.threads());
  const Parts parts = lay_out(scratch);
  for (int share = 0; share < shares(); ++share) {
    std::fill_n(parts.bias_sums + share * parts.distance, plan_.result().blocks * plan_.loops().block, 0.0F);
  }
  if (by_tiles()) {
    run_by_tiles(source, gradient, diff_weights, parts);
  } else {
    run_by_weights(source, gradient, diff_weights, parts);
  }
  for (std::int64_t i = 0; i < biases_; ++i) {
    diff_bias[i] = 0;
    for (int share = 0; share < shares(); ++share) diff_bias[i] += parts.bias_sums[share * parts.distance + i];
  }
}

template <typename Element, typename Cell>
typename WinogradGradient<Element, Cell>::Parts WinogradGradient<Element, Cell>::lay_out(Scratch& scratch) const {
  const int lanes = plan_.loops().block;
  const auto take = [&](std::int64_t floats) { return by_tiles() ? scratch.take_own(floats) : scratch.take(floats); };
  const auto cells = [](float* part) { return reinterpret_cast<Cell*>(part); };
  static_assert(sizeof(Cell) == sizeof(float));
  Parts parts{};
  const std::int64_t rows = cells_of<Cell>(plan_.block_tiles());
  const std::int64_t square = plan_.square_cells<float>();
  parts.values = {nullptr, rows, plan_.source().blocks, lanes};
  parts.gradients = {nullptr, rows, plan_.result().blocks, lanes};
  parts.at_points =
      in_one_go() ? scratch.take_own(square * group_side() * group_side()) : take(square * plan_.weight_squares());
  parts.weights = take(shares() > 1 ? plan_.weight_squares() * plan_.square_elements() : 0);
  parts.values.at = cells(take(parts.values.cells(plan_.point_count())));
  parts.gradients.at = cells(take(parts.gradients.cells(plan_.point_count())));
  parts.bias_sums = take(plan_.result().blocks * lanes);
  parts.distance = scratch.distance();
  return parts;
}

// Transforms tiles first to first + count of one block of channels of the source.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::source_to_points(const Element* source, std::int64_t block, std::int64_t first,
                                                       std::int64_t count, const PointMatrices<Cell>& values) const {
  std::array<simd::PlaneTile<Element>, simd::kNumbersIn<Cell>> tiles{};
  plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace place, TilePlace /*result*/) {
    tiles[place_in_cell(k)] = {source + plan_.source().offset(sample, block, plan_.loops().block), place};
    if (const int complete = tiles_of_cell(k, count)) {
      ends_->source_tiles(tiles.data(), complete, values.row(block, row_of(k)), values.point_stride());
    }
  });
}

// The same for the gradient of the result.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::gradient_to_points(const Element* gradient, std::int64_t block,
                                                         std::int64_t first, std::int64_t count,
                                                         const PointMatrices<Cell>& values, float* bias_sums) const {
  const int lanes = plan_.loops().block;
  std::array<simd::PlaneTile<Element>, simd::kNumbersIn<Cell>> tiles{};
  plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace /*source*/, TilePlace place) {
    tiles[place_in_cell(k)] = {gradient + plan_.result().offset(sample, block, lanes), place};
    if (const int complete = tiles_of_cell(k, count)) {
      ends_->gradient_tiles(tiles.data(), complete, values.row(block, row_of(k)), values.point_stride(),
                            bias_sums + block * lanes);
    }
  });
}

template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::run_by_tiles(const Element* source, const Element* gradient, float* diff_weights,
                                                   const Parts& parts) const {
  // The first thread's part of the sum is in its place at once.
  parallel_for(plan_.threads(), [&](std::int64_t thread) {
    const Parts own_parts = own(parts, thread);
    add_share(source, gradient, thread, thread == 0 ? diff_weights : own_parts.weights, own_parts);
  });
  if (shares() == 1) return;
  const std::int64_t floats = plan_.square_elements();
  parallel_for(plan_.weight_squares(), [&](std::int64_t i) {
    float* const sums = diff_weights + i * floats;
    for (int thread = 1; thread < plan_.threads(); ++thread) {
      const float* const share = parts.weights + thread * parts.distance + i * floats;
      for (std::int64_t k = 0; k < floats; ++k) sums[k] += share[k];
    }
  });
}

// Computes the gradient from the tiles of one thread.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::add_share(const Element* source, const Element* gradient, std::int64_t thread,
                                                float* diff_weights, const Parts& parts) const {
  const auto [begin, end] = share_of(plan_.tile_blocks(), thread, plan_.threads());
  if (begin == end) std::fill_n(diff_weights, plan_.weight_squares() * plan_.square_elements(), 0.0F);
  for (std::int64_t i = begin; i < end; ++i) {
    const TileBlock block = tile_block(i, begin, end);
    for (std::int64_t b = 0; b < plan_.source().blocks; ++b) {
      source_to_points(source, b, block.first, block.count, parts.values);
    }
    for (std::int64_t b = 0; b < plan_.result().blocks; ++b) {
      gradient_to_points(gradient, b, block.first, block.count, parts.gradients, parts.bias_sums);
    }
    for (std::int64_t g = 0; g < groups(); ++g) add_group(block, group_of(g, parts.at_points), diff_weights, parts);
  }
}

template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::run_by_weights(const Element* source, const Element* gradient,
                                                     float* diff_weights, const Parts& parts) const {
  const std::int64_t source_blocks = plan_.source().blocks;
  for (std::int64_t i = 0; i < plan_.tile_blocks(); ++i) {
    const TileBlock block = tile_block(i, 0, plan_.tile_blocks());
    parallel_for(source_blocks + plan_.result().blocks, [&](std::int64_t b) {
      if (b < source_blocks) {
        source_to_points(source, b, block.first, block.count, parts.values);
      } else {
        gradient_to_points(gradient, b - source_blocks, block.first, block.count, parts.gradients, parts.bias_sums);
      }
    });
    Claims claims(groups(), plan_.threads());
    parallel_for(plan_.threads(), [&](std::int64_t thread) {
      float* const at_points = parts.at_points + (in_one_go() ? thread * parts.distance : 0);
      claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t g = begin; g < end; ++g) add_group(block, group_of(g, at_points), diff_weights, parts);
      });
    });
  }
}

// The parts of a thread that has everything for itself.
template <typename Element, typename Cell>
typename WinogradGradient<Element, Cell>::Parts WinogradGradient<Element, Cell>::own(const Parts& parts,
                                                                                     std::int64_t thread) const {
  Parts result = parts;
  const std::int64_t distance = thread * parts.distance;
  result.values.at += distance;
  result.gradients.at += distance;
  result.at_points += distance;
  result.weights += distance;
  result.bias_sums += distance;
  return result;
}

// The block of tiles with this index, of those from begin to end.
template <typename Element, typename Cell>
typename WinogradGradient<Element, Cell>::TileBlock WinogradGradient<Element, Cell>::tile_block(
    std::int64_t index, std::int64_t begin, std::int64_t end) const {
  const std::int64_t first = index * plan_.block_tiles();
  return {.first = first,
          .count = std::min(plan_.block_tiles(), plan_.tiles() - first),
          .is_first = index == begin,
          .is_last = index == end - 1};
}

// As large as keeps the tiles of a group at one point in the first-level cache, and, if threads share the groups,
// leaves each several.
template <typename Element, typename Cell>
std::int64_t WinogradGradient<Element, Cell>::group_side() const {
  constexpr std::int64_t kGroupsPerThread = 4;
  const std::int64_t threads = by_tiles() ? 0 : plan_.threads();
  std::int64_t side = kMostSide;
  while (side > 1 && plan_.weight_squares() < side * side * kGroupsPerThread * threads) side /= 2;
  return side;
}

// `at_points` is memory for all groups or, if each is finished in one go, for one.
template <typename Element, typename Cell>
typename WinogradGradient<Element, Cell>::Group WinogradGradient<Element, Cell>::group_of(std::int64_t index,
                                                                                          float* at_points) const {
  const std::int64_t side = group_side();
  Group group{.first_source = index % groups_across() * side, .first_result = index / groups_across() * side};
  group.sources = std::min(side, plan_.source().blocks - group.first_source);
  group.results = std::min(side, plan_.result().blocks - group.first_result);
  const std::int64_t square = plan_.square_cells<float>();
  if (in_one_go()) {
    group.at_points = at_points;
    group.result_stride = group.sources * square;
  } else {
    group.at_points = at_points + (group.first_result * plan_.source().blocks + group.first_source) * square;
    group.result_stride = plan_.source().blocks * square;
  }
  return group;
}

// Adds the contribution of a block of tiles to a group, and brings the group from points to weights after the last one.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::add_group(const TileBlock& block, const Group& group, float* diff_weights,
                                                const Parts& parts) const {
  correlate(parts.values, parts.gradients, group, block.count, !block.is_first);
  if (!block.is_last) return;
  for (std::int64_t r = 0; r < group.results; ++r) {
    for (std::int64_t s = 0; s < group.sources; ++s) {
      const std::int64_t square = (group.first_result + r) * plan_.source().blocks + group.first_source + s;
      plan_.loops().weights_gradient(group.at_points + r * group.result_stride + s * plan_.square_cells<float>(),
                                     plan_.weights_point_stride<float>(),
                                     diff_weights + square * plan_.square_elements());
    }
  }
}

// Point by point, because the tiles of a group at one point stay in the first-level cache.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::correlate(const PointMatrices<Cell>& values, const PointMatrices<Cell>& gradients,
                                                const Group& group, std::int64_t count, bool accumulate) const {
  for (int point = 0; point < plan_.point_count(); ++point) {
    for (std::int64_t s = 0; s < group.sources; ++s) {
      const Cell* v = values.row(group.first_source + s, 0) + point * values.point_stride();
      simd::products_of<Cell>().correlate(
          {.v = v,
           .y = gradients.row(group.first_result, 0) + point * gradients.point_stride(),
           .u = group.at_points + s * plan_.square_cells<float>() + point * plan_.weights_point_stride<float>(),
           .y_column = gradients.block_stride(),
           .u_column = group.result_stride,
           .rows = cells_of<Cell>(count),
           .columns = static_cast<int>(group.results),
           .accumulate = accumulate,
           .next = s + 1 < group.sources ? v + values.block_stride() : v});
    }
  }
}

template class WinogradGradient<float, float>;
template class WinogradGradient<BFloat16, float>;
template class WinogradGradient<BFloat16, simd::BFloat16Pair>;

}  // namespace convoy::kernels
