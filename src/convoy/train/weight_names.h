// Names of weights as other programs write them, fitted to a network's: what wrappers put in front, and what the last
// layer is called.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"

namespace convoy {

struct FittedNames {
  std::vector<NamedTensor> tensors;
  std::vector<std::string> notes;  // what was changed, a phrase each: "module." taken off 62 names
};

// Renames tensors where that makes them fit parameters of `wanted`, whose values are not looked at:
// - a prefix that nobody here has, such as "module." of DistributedDataParallel, is taken off;
// - the last layer ("fc", "classifier", "head", ...) is taken for the one dense layer that has no tensor yet;
// - counters of batches are left out.
// Names that fit already stay.
[[nodiscard]] FittedNames fit_names(std::vector<NamedTensor> tensors, std::span<const NamedTensor> wanted);

}  // namespace convoy
