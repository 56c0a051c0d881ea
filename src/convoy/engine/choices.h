// Which implementation each convolution and dense layer uses in each pass. A plan's choices can be kept and given to
// another compilation, which then measures nothing and computes the same numbers.
#pragma once

#include <map>
#include <string>

namespace convoy {

// Names of implementations, as Prepared::implementation() gives them. Passes that are not needed are empty.
struct KernelChoice {
  std::string forward;
  std::string backward_data;
  std::string backward_weights;

  bool operator==(const KernelChoice&) const = default;
};

// By node name.
using Choices = std::map<std::string, KernelChoice>;

}  // namespace convoy
