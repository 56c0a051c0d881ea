// The weight gradient of a dense layer as the product of factors that all ranks exchange.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "convoy/engine/network.h"
#include "convoy/sync/block_gather.h"

namespace convoy {

// For one layer: all ranks' rows of both factors, and the kernel that multiplies them.
class FactorProduct {
 public:
  // `instruction` of `plan` computes the layer's weight gradient from the rows of all ranks. Writes to the gradients of
  // `store`, which must outlive it.
  FactorProduct(const Instruction& instruction, std::string of_layer, const Plan& plan, ParameterStore& store);

  // Whether a rank's rows can be sent: messages consist of floats, so they must not have an odd number of bf16 values.
  [[nodiscard]] static bool is_possible(const Instruction& instruction, int ranks);

  [[nodiscard]] LayerId layer() const { return layer_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const ArenaSlice& slice() const { return slice_; }  // of its gradients
  [[nodiscard]] const Shape& weights() const { return weights_; }
  // Whether the factors are single precision, as codecs need.
  [[nodiscard]] bool is_single_precision() const { return is_single_precision_; }
  // The floats of a rank's rows of both factors.
  [[nodiscard]] std::array<std::size_t, 2> block_floats(int ranks) const;

  // Takes this rank's rows. If there are fewer than usual, the others have been zero since the last product.
  void take(std::span<const std::byte> source, std::span<const std::byte> diff_destination, int rank, int ranks);
  // Collective.
  void exchange(BlockGather& gather, bool may_lose);
  // Multiplies the rows of all ranks, and forgets this rank's.
  void multiply(int rank, int ranks);

 private:
  [[nodiscard]] std::span<std::byte> block(std::size_t factor, int rank, int ranks);

  std::shared_ptr<const kernels::Device> device_;  // first: the kernel refers to it
  LayerId layer_;
  std::string name_;
  ArenaSlice slice_;
  Shape weights_;
  bool is_single_precision_;
  std::array<AlignedBuffer, 2> factors_;  // what the layer read, and the gradient of its output
  AlignedBuffer scratchpad_;
  AlignedBuffer unused_;  // takes the gradient of a frozen bias
  std::unique_ptr<kernels::Kernel> kernel_;
};

}  // namespace convoy
