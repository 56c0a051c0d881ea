// The gradient of the weights of a winograd convolution, and of its bias.
#pragma once

#include "convoy/kernels/scratch.h"
#include "convoy/kernels/winograd/plan.h"

namespace convoy::kernels {

// Images are of type Element, what is multiplied at points is in cells of type Cell: those of pairs have two tiles.
template <typename Element, typename Cell>
class WinogradGradient {
 public:
  using Ends = simd::WinogradEnds<Element, Cell>;

  // biases: how many values the bias has; zero if there is none.
  WinogradGradient(const WinogradPlan& plan, const Ends& ends, std::int64_t biases)
      : plan_(plan), ends_(&ends), biases_(biases) {}

  [[nodiscard]] std::size_t scratch_bytes() const;

  // diff_bias is not used if there is no bias.
  void run(const Element* source, const Element* gradient, float* diff_weights, float* diff_bias,
           float* scratchpad) const;

 private:
  // Parts of the scratchpad. By tiles, each thread has its own copy of everything. By weights, the threads share
  // everything but the weights at points of groups that are finished at once.
  struct Parts {
    PointMatrices<Cell> values;     // of the source, at points
    PointMatrices<Cell> gradients;  // of the result, at points
    float* at_points;               // the gradient of the weights, at points
    float* weights;                 // by tiles: the gradient of the weights from a thread's tiles
    float* bias_sums;
    std::int64_t distance;  // from what is a thread's own to that of the next
  };

  // Squares of weights, of some blocks of the source's channels by some of the result's, and where their gradients at
  // points are.
  struct Group {
    std::int64_t first_source, sources;
    std::int64_t first_result, results;
    float* at_points;
    std::int64_t result_stride;  // floats between one block of the result's channels and the next
  };

  // A block of tiles: the place of the first, and whether others come before or after it that add to the same weights.
  struct TileBlock {
    std::int64_t first, count;
    bool is_first, is_last;
  };

  static constexpr std::int64_t kMostSide = 4;
  [[nodiscard]] std::int64_t group_side() const;
  [[nodiscard]] std::int64_t groups_across() const { return (plan_.source().blocks + group_side() - 1) / group_side(); }
  [[nodiscard]] std::int64_t groups_down() const { return (plan_.result().blocks + group_side() - 1) / group_side(); }
  [[nodiscard]] std::int64_t groups() const { return groups_across() * groups_down(); }

  [[nodiscard]] bool by_tiles() const { return plan_.order() == WinogradOrder::by_tiles; }
  // How many parts of the tiles have gradients of their own.
  [[nodiscard]] int shares() const { return by_tiles() ? plan_.threads() : 1; }
  // Whether each group has all of its sums after one block of tiles.
  [[nodiscard]] bool in_one_go() const { return plan_.tile_blocks() <= shares(); }
  [[nodiscard]] TileBlock tile_block(std::int64_t index, std::int64_t begin, std::int64_t end) const;

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  void source_to_points(const Element* source, std::int64_t block, std::int64_t first, std::int64_t count,
                        const PointMatrices<Cell>& values) const;
  void gradient_to_points(const Element* gradient, std::int64_t block, std::int64_t first, std::int64_t count,
                          const PointMatrices<Cell>& values, float* bias_sums) const;
  void run_by_tiles(const Element* source, const Element* gradient, float* diff_weights, const Parts& parts) const;
  void add_share(const Element* source, const Element* gradient, std::int64_t thread, float* diff_weights,
                 const Parts& parts) const;
  void run_by_weights(const Element* source, const Element* gradient, float* diff_weights, const Parts& parts) const;
  [[nodiscard]] Parts own(const Parts& parts, std::int64_t thread) const;
  [[nodiscard]] Group group_of(std::int64_t index, float* at_points) const;
  void add_group(const TileBlock& block, const Group& group, float* diff_weights, const Parts& parts) const;
  void correlate(const PointMatrices<Cell>& values, const PointMatrices<Cell>& gradients, const Group& group,
                 std::int64_t count, bool accumulate) const;

  // Where a tile's numbers at a point are: in which row of cells, and which of a cell's numbers they are.
  static constexpr std::int64_t row_of(std::int64_t tile) { return tile / simd::kNumbersIn<Cell>; }
  static constexpr std::size_t place_in_cell(std::int64_t tile) {
    return static_cast<std::size_t>(tile % simd::kNumbersIn<Cell>);
  }
  // How many tiles a row of cells has, if `tile` is the last of them; otherwise zero.
  static constexpr int tiles_of_cell(std::int64_t tile, std::int64_t count) {
    const int tiles = static_cast<int>(place_in_cell(tile)) + 1;
    return tiles == simd::kNumbersIn<Cell> || tile + 1 == count ? tiles : 0;
  }

  WinogradPlan plan_;
  const Ends* ends_;
  std::int64_t biases_;
};

}  // namespace convoy::kernels
