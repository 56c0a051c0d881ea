// Which implementation each convolution and dense layer uses in each pass. A plan's choices can be saved and given to
// another compilation, which then measures nothing and computes the same numbers.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace convoy {

// Names of implementations, as Prepared::implementation() returns them; empty for passes that are not needed.
struct KernelChoice {
  std::string forward;
  std::string backward_data;
  std::string backward_weights;

  bool operator==(const KernelChoice&) const = default;
};

// Used instead of a name: the first implementation, without measuring.
inline constexpr std::string_view kFirstImplementation = "first";

// By layer name.
using Choices = std::map<std::string, KernelChoice>;

// As text to keep with a run, and back. Text that is not valid causes a DataError that begins with `source` (such as a
// file name) and names the layer and the key.
[[nodiscard]] std::string choices_to_json(const Choices& choices);
[[nodiscard]] Choices choices_from_json(std::string_view text, std::string_view source = "kernel choices");

}  // namespace convoy
