// The parameters of a network as plain named tensors, and back.
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

// Sets all of them. Throws DataError naming a tensor that is missing, has another shape or holds NaN or an infinity.
void import_weights(std::span<const NamedTensor> tensors, ParameterStore& store);

// What came of weights that were made for another network.
struct WeightTransfer {
  int taken = 0;
  std::vector<std::string> kept_fresh;  // tensors of the network that keep their first values, and why
  std::vector<std::string> unused;      // tensors that the network has no place for
};

// Sets those that are there under the same name in the same shape, leaves the others as they are. Throws DataError
// naming a tensor that would be set and holds NaN or an infinity.
WeightTransfer transfer_weights(std::span<const NamedTensor> tensors, ParameterStore& store);

// The optimizer's memory as "state/parameter", and back. Throws DataError like import_weights().
[[nodiscard]] std::vector<NamedTensor> export_optimizer(Optimizer& optimizer, const ParameterStore& store);
void import_optimizer(std::span<const NamedTensor> tensors, const ParameterStore& store, Optimizer& optimizer);

}  // namespace convoy
