// A dense layer that is divided between the ranks. Each rank has the weights of some of the outputs and computes these
// outputs for the samples of all ranks, so ranks exchange the rows that the layer reads and writes and never its
// weights or their gradients:
//
//   forward          every rank gets all rows of the input; each computes its columns of the output, and every rank
//                    gets all columns of its own rows
//   backward         every rank gets its columns of the output's gradient, for all rows; each computes its share of the
//                    input's gradient, and every rank gets the sum of the shares of its own rows
//   update           every rank updates its own weights, of which only it has the gradients and the optimizer's state
//
// So neither the product of the weight gradient nor the update is done more than once, and a rank reads only its part
// of the weights. All rows are waited for, which pays for large layers on few samples. Compared with a layer that every
// rank computes for itself, only rounding differs.
//
// (Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014.)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/engine/network.h"
#include "convoy/sync/block_gather.h"
#include "convoy/sync/block_swap.h"
#include "convoy/sync/gradient_reducer.h"

namespace convoy {

class DividedDense {
 public:
  // Collective. Null when the layer cannot be divided: its weights are not in memory row by row, are frozen, or there
  // are too few outputs for so many ranks. `block_rows` is the largest number of samples that a rank has. Everything
  // except the graph must outlive it.
  [[nodiscard]] static std::unique_ptr<DividedDense> make(Communicator& communicator, const Graph& graph,
                                                          Network& network, LayerId layer, std::int64_t block_rows);
  DividedDense(const DividedDense&) = delete;
  DividedDense& operator=(const DividedDense&) = delete;
  ~DividedDense();

  // The parts of the arena that each rank has; see DividedSlice.
  [[nodiscard]] std::vector<std::vector<ArenaSlice>> parts() const;
  // Bytes that a rank sends in a step.
  [[nodiscard]] double sent_bytes() const;
  // What computing a step takes on this rank, without exchanges. Overwrites gradients.
  [[nodiscard]] double measured_seconds();

  // Collective; see LayerTaking. Rows are exchanged through `reducer`.
  void forward(GradientReducer& reducer, std::span<const std::byte> source, std::span<std::byte> destination);
  void backward_data(GradientReducer& reducer, std::span<const std::byte> diff_destination,
                     std::span<std::byte> diff_source);
  void backward_weights(GradientReducer& reducer, std::span<const std::byte> diff_destination);

 private:
  struct Shape;
  struct Kernels;
  DividedDense(Communicator& communicator, std::unique_ptr<Shape> shape, std::unique_ptr<Kernels> kernels);

  void gather_columns(GradientReducer& reducer, std::span<const std::byte> diff_destination);
  void sum_shares(std::span<std::byte> diff_source);
  [[nodiscard]] std::uint64_t subject(int exchange) const;

  Communicator& communicator_;
  std::unique_ptr<Shape> shape_;
  std::unique_ptr<Kernels> kernels_;
  BlockGather gather_;
  BlockSwap swap_;
  bool has_columns_ = false;  // of the output's gradient, in this step
  bool has_weights_ = false;  // their gradient is computed, in this step
};

}  // namespace convoy
