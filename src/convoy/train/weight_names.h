// Adapts names of weights from other programs to those of a network: removes prefixes of wrappers and renames the last
// layer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"

namespace convoy {

struct FittedNames {
  std::vector<NamedTensor> tensors;
  std::vector<std::string> notes;  // what was changed, one phrase each: "module." taken off 62 names
};

// Renames tensors so that they fit parameters of `wanted`, whose values are not used:
// - a prefix that the network does not have, such as "module." of DistributedDataParallel, is removed;
// - the last layer ("fc", "classifier", "head", ...) is renamed to the only dense layer that has no tensor yet;
// - counters of batches are left out.
// Names that fit already stay.
[[nodiscard]] FittedNames fit_names(std::vector<NamedTensor> tensors, std::span<const NamedTensor> wanted);

}  // namespace convoy
