// The losses a classifier of the zoo can be trained with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convoy {

enum class Loss {
  cross_entropy,       // softmax and cross-entropy with the label
  mean_squared_error,  // of the scores against the label's one-hot row
};

// "cross-entropy", "mean-squared-error": the names users write.
[[nodiscard]] const std::vector<std::string>& loss_names();
// Throws UserError listing the names when `name` is none of them.
[[nodiscard]] Loss loss_named(std::string_view name);

}  // namespace convoy
