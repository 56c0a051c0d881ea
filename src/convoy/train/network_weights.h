// Converts the parameters of a network to plain named tensors and back.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/engine/parameter_store.h"
#include "convoy/optim/optimizer.h"

namespace convoy {

// Parameters and running statistics, in the graph's order and with PyTorch's names.
[[nodiscard]] std::vector<NamedTensor> export_weights(const ParameterStore& store);

// Sets all of them. Throws DataError that names a tensor that is missing, has another shape or contains NaN or
// infinity.
void import_weights(std::span<const NamedTensor> tensors, ParameterStore& store);

// The result of loading weights that were made for another network.
struct WeightTransfer {
  int taken = 0;
  std::vector<std::string> kept_fresh;  // tensors of the network that keep their initial values, and why
  std::vector<std::string> unused;      // tensors that do not belong to the network
};

// Sets the tensors that exist under the same name and in the same shape, and leaves the others as they are. Throws
// DataError that names a tensor that would be set but contains NaN or infinity.
WeightTransfer transfer_weights(std::span<const NamedTensor> tensors, ParameterStore& store);

// The optimizer's state as "state/parameter", and back. Throws DataError like import_weights().
[[nodiscard]] std::vector<NamedTensor> export_optimizer(Optimizer& optimizer, const ParameterStore& store);
void import_optimizer(std::span<const NamedTensor> tensors, const ParameterStore& store, Optimizer& optimizer);

}  // namespace convoy
