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
  // everything; but if there is only one block of tiles, each group of squares is finished at once, so each thread has
  // memory of its own for one group.
  struct Parts {
    float* bias_sums;
    PointMatrices<Cell> values;     // of the source, at points
    PointMatrices<Cell> gradients;  // of the result, at points
    float* weights;                 // the gradient of the weights, at points
    std::int64_t distance;          // from what is a thread's own to that of the next
  };

  // Squares of weights, of some blocks of the source's channels by some of the result's, and where their gradients at
  // points are.
  struct Group {
    std::int64_t first_source, sources;
    std::int64_t first_result, results;
    float* weights;
    std::int64_t result_stride;  // floats between one block of the result's channels and the next
  };

  // By weights, squares are computed in groups: some blocks of the source's channels by as many of the result's.
  static constexpr std::int64_t kMostSide = 4;
  [[nodiscard]] std::int64_t group_side() const;
  [[nodiscard]] std::int64_t groups_across() const { return (plan_.source().blocks + group_side() - 1) / group_side(); }
  [[nodiscard]] std::int64_t groups_down() const { return (plan_.result().blocks + group_side() - 1) / group_side(); }

  [[nodiscard]] bool by_tiles() const { return plan_.order() == WinogradOrder::by_tiles; }
  [[nodiscard]] bool in_one_go() const { return plan_.tile_blocks() == 1; }
  [[nodiscard]] int shares() const { return by_tiles() ? plan_.threads() : 1; }

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  void source_to_points(const Element* source, std::int64_t block, std::int64_t first, std::int64_t count,
                        const PointMatrices<Cell>& values) const;
  void gradient_to_points(const Element* gradient, std::int64_t block, std::int64_t first, std::int64_t count,
                          const PointMatrices<Cell>& values, float* bias_sums) const;
  void correlate(const PointMatrices<Cell>& values, const PointMatrices<Cell>& gradients, const Group& group,
                 std::int64_t count, bool accumulate) const;
  void weights_from_points(const float* values, std::int64_t square, float* diff_weights) const;
  void run_by_tiles(const Element* source, const Element* gradient, float* diff_weights, const Parts& parts) const;
  void add_square(const float* from, float* to) const;
  void add_share(const Element* source, const Element* gradient, std::int64_t thread, const Parts& parts) const;
  void run_by_weights(const Element* source, const Element* gradient, float* diff_weights, const Parts& parts) const;
  [[nodiscard]] Group group_of(std::int64_t index, std::int64_t thread, const Parts& parts) const;
  void add_group(std::int64_t tile_block, const Group& group, float* diff_weights, const Parts& parts) const;

  // Where a tile's numbers at a point are: in which row of cells, and which of a cell's numbers they are.
  static constexpr std::int64_t row_of(std::int64_t tile) { return tile / simd::kNumbersIn<Cell>; }
  static constexpr std::int64_t part_of(std::int64_t tile) { return tile % simd::kNumbersIn<Cell>; }

  WinogradPlan plan_;
  const Ends* ends_;
  std::int64_t biases_;
};

}  // namespace convoy::kernels
