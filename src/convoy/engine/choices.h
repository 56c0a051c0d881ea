// Which implementation each convolution and dense layer uses in each pass. A plan's choices can be kept and given to
// another compilation, which then measures nothing and computes the same numbers.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace convoy {

// Names of implementations, as Prepared::implementation() gives them. Passes that are not needed are empty.
struct KernelChoice {
  std::string forward;
  std::string backward_data;
  std::string backward_weights;

  bool operator==(const KernelChoice&) const = default;
};

// In place of a name: whichever implementation comes first, unmeasured.
inline constexpr std::string_view kFirstImplementation = "first";

// By layer name.
using Choices = std::map<std::string, KernelChoice>;

// As text to keep with a run, and back. What is no such text is a DataError that begins with `source` (a file name,
// say) and names the layer and the key.
[[nodiscard]] std::string choices_to_json(const Choices& choices);
[[nodiscard]] Choices choices_from_json(std::string_view text, std::string_view source = "kernel choices");

}  // namespace convoy
