#include "convoy/kernels/winograd/gradient.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels {

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
  const bool own_square = !by_tiles() && in_one_go();
  const auto take = [&](std::int64_t floats) { return by_tiles() ? scratch.take_own(floats) : scratch.take(floats); };
  Parts parts{};
  const std::int64_t rows = cells_of<Cell>(plan_.block_tiles());
  parts.values = {nullptr, rows, plan_.source().blocks, lanes};
  parts.gradients = {nullptr, rows, plan_.result().blocks, lanes};
  if (own_square) parts.weights = scratch.take_own(plan_.square_cells<float>() * group_side() * group_side());
  if (!own_square) parts.weights = take(plan_.square_cells<float>() * plan_.weight_squares());
  static_assert(sizeof(Cell) == sizeof(float));
  parts.values.at = reinterpret_cast<Cell*>(take(parts.values.cells(plan_.point_count())));
  parts.gradients.at = reinterpret_cast<Cell*>(take(parts.gradients.cells(plan_.point_count())));
  parts.bias_sums = take(plan_.result().blocks * lanes);
  parts.distance = scratch.distance();
  return parts;
}

// Transforms tiles first to first + count of one block of channels of the source.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::source_to_points(const Element* source, std::int64_t block, std::int64_t first,
                                                       std::int64_t count, const PointMatrices<Cell>& values) const {
  plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace place, TilePlace /*result*/) {
    ends_->source_part[part_of(k)](source + plan_.source().offset(sample, block, plan_.loops().block), place,
                                   values.row(block, row_of(k)), values.point_stride());
  });
}

// The same for the gradient of the result.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::gradient_to_points(const Element* gradient, std::int64_t block,
                                                         std::int64_t first, std::int64_t count,
                                                         const PointMatrices<Cell>& values, float* bias_sums) const {
  const int lanes = plan_.loops().block;
  plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace /*source*/, TilePlace place) {
    ends_->gradient_part[part_of(k)](gradient + plan_.result().offset(sample, block, lanes), place,
                                     values.row(block, row_of(k)), values.point_stride(), bias_sums + block * lanes);
  });
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
           .u = group.weights + s * plan_.square_cells<float>() + point * plan_.weights_point_stride<float>(),
           .y_column = gradients.block_stride(),
           .u_column = group.result_stride,
           .rows = cells_of<Cell>(count),
           .columns = static_cast<int>(group.results),
           .accumulate = accumulate,
           .next = s + 1 < group.sources ? v + values.block_stride() : v});
    }
  }
}

template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::weights_from_points(const float* values, std::int64_t square,
                                                          float* diff_weights) const {
  plan_.loops().weights_gradient(values, plan_.weights_point_stride<float>(),
                                 diff_weights + square * plan_.square_elements());
}

template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::run_by_tiles(const Element* source, const Element* gradient, float* diff_weights,
                                                   const Parts& parts) const {
  parallel_for(plan_.threads(), [&](std::int64_t thread) { add_share(source, gradient, thread, parts); });
  parallel_for(plan_.weight_squares(), [&](std::int64_t i) {
    float* sums = parts.weights + i * plan_.square_cells<float>();
    for (int thread = 1; thread < plan_.threads(); ++thread) add_square(sums + thread * parts.distance, sums);
    weights_from_points(sums, i, diff_weights);
  });
}

// Adds one square of weights at points, skipping the gaps between the points.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::add_square(const float* from, float* to) const {
  const int floats = plan_.loops().block * plan_.loops().block;
  for (int point = 0; point < plan_.point_count(); ++point) {
    const std::int64_t at = point * plan_.weights_point_stride<float>();
    for (int k = 0; k < floats; ++k) to[at + k] += from[at + k];
  }
}

// Computes the gradient from the tiles of one thread.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::add_share(const Element* source, const Element* gradient, std::int64_t thread,
                                                const Parts& parts) const {
  PointMatrices<Cell> values = parts.values;
  PointMatrices<Cell> gradients = parts.gradients;
  values.at += thread * parts.distance;
  gradients.at += thread * parts.distance;
  float* weights = parts.weights + thread * parts.distance;
  float* bias_sums = parts.bias_sums + thread * parts.distance;
  const auto [begin, end] = share_of(plan_.tile_blocks(), thread, plan_.threads());
  const Group all{.first_source = 0,
                  .sources = plan_.source().blocks,
                  .first_result = 0,
                  .results = plan_.result().blocks,
                  .weights = weights,
                  .result_stride = plan_.source().blocks * plan_.square_cells<float>()};
  if (begin == end) std::fill_n(weights, plan_.weight_squares() * plan_.square_cells<float>(), 0.0F);
  for (std::int64_t block = begin; block < end; ++block) {
    const std::int64_t first = block * plan_.block_tiles();
    const std::int64_t count = std::min(plan_.block_tiles(), plan_.tiles() - first);
    for (std::int64_t b = 0; b < plan_.source().blocks; ++b) source_to_points(source, b, first, count, values);
    for (std::int64_t b = 0; b < plan_.result().blocks; ++b) {
      gradient_to_points(gradient, b, first, count, gradients, bias_sums);
    }
    correlate(values, gradients, all, count, block > begin);
  }
}

template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::run_by_weights(const Element* source, const Element* gradient,
                                                     float* diff_weights, const Parts& parts) const {
  const std::int64_t source_blocks = plan_.source().blocks;
  for (std::int64_t block = 0; block < plan_.tile_blocks(); ++block) {
    const std::int64_t first = block * plan_.block_tiles();
    const std::int64_t count = std::min(plan_.block_tiles(), plan_.tiles() - first);
    parallel_for(source_blocks + plan_.result().blocks, [&](std::int64_t i) {
      if (i < source_blocks) {
        source_to_points(source, i, first, count, parts.values);
      } else {
        gradient_to_points(gradient, i - source_blocks, first, count, parts.gradients, parts.bias_sums);
      }
    });
    Claims claims(groups_across() * groups_down(), plan_.threads());
    parallel_for(plan_.threads(), [&](std::int64_t thread) {
      claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) add_group(block, group_of(i, thread, parts), diff_weights, parts);
      });
    });
  }
}

// As large as leaves each thread several groups.
template <typename Element, typename Cell>
std::int64_t WinogradGradient<Element, Cell>::group_side() const {
  constexpr std::int64_t kGroupsPerThread = 4;
  std::int64_t side = kMostSide;
  while (side > 1 && plan_.weight_squares() < side * side * kGroupsPerThread * plan_.threads()) side /= 2;
  return side;
}

// Groups that are finished in one go use the thread's own memory.
template <typename Element, typename Cell>
typename WinogradGradient<Element, Cell>::Group WinogradGradient<Element, Cell>::group_of(std::int64_t index,
                                                                                          std::int64_t thread,
                                                                                          const Parts& parts) const {
  const std::int64_t side = group_side();
  Group group{.first_source = index % groups_across() * side, .first_result = index / groups_across() * side};
  group.sources = std::min(side, plan_.source().blocks - group.first_source);
  group.results = std::min(side, plan_.result().blocks - group.first_result);
  const std::int64_t square = plan_.square_cells<float>();
  if (in_one_go()) {
    group.weights = parts.weights + thread * parts.distance;
    group.result_stride = group.sources * square;
  } else {
    group.weights = parts.weights + (group.first_result * plan_.source().blocks + group.first_source) * square;
    group.result_stride = plan_.source().blocks * square;
  }
  return group;
}

// Adds the contribution of a block of tiles to a group.
template <typename Element, typename Cell>
void WinogradGradient<Element, Cell>::add_group(std::int64_t tile_block, const Group& group, float* diff_weights,
                                                const Parts& parts) const {
  const std::int64_t count = std::min(plan_.block_tiles(), plan_.tiles() - tile_block * plan_.block_tiles());
  correlate(parts.values, parts.gradients, group, count, tile_block > 0);
  if (tile_block < plan_.tile_blocks() - 1) return;
  for (std::int64_t r = 0; r < group.results; ++r) {
    for (std::int64_t s = 0; s < group.sources; ++s) {
      weights_from_points(group.weights + r * group.result_stride + s * plan_.square_cells<float>(),
                          (group.first_result + r) * plan_.source().blocks + group.first_source + s, diff_weights);
    }
  }
}

template class WinogradGradient<float, float>;
template class WinogradGradient<BFloat16, float>;
template class WinogradGradient<BFloat16, simd::BFloat16Pair>;

}  // namespace convoy::kernels
