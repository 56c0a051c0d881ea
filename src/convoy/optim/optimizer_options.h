// The update rules there are, their names, and what can be set of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

enum class OptimizerKind : std::uint8_t { sgd, momentum, nesterov, adam, adamw, adadelta, lars, lamb };

// "sgd", "momentum", "nesterov", ...: the names users write, in the order of OptimizerKind.
[[nodiscard]] const std::vector<std::string>& optimizer_names();
// Throws UserError with the nearest name when `text` is none of them.
[[nodiscard]] OptimizerKind optimizer_named(std::string_view text);

// Whether the rule goes by the norms of whole layers (Optimizer::measure) instead of element by element.
[[nodiscard]] bool is_layerwise(OptimizerKind kind);

// What a rule has no use for is ignored. Double precision, so that 1 - beta is what the user meant.
struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::sgd;
  double momentum = 0.9;          // momentum, nesterov, lars: share of the velocity kept in each step; [0, 1)
  double beta1 = 0.9;             // adam, adamw, lamb: the same for the mean of gradients; [0, 1)
  double beta2 = 0.999;           // adam, adamw, lamb: and for the mean of their squares; [0, 1)
  double rho = 0.9;               // adadelta: and for its two means of squares; [0, 1)
  std::optional<double> epsilon;  // > 0; keeps divisors from zero. Left out: 1e-8, for adadelta and lamb 1e-6
  double trust = 0.01;            // lars: length of a layer's step relative to its weights, at a rate of 1; > 0
  double weight_decay = 0;        // >= 0; adamw shrinks parameters by rate * weight_decay, lamb adds
                                  // weight_decay * parameter to the step, the others to the gradient
};

// Throws UserError naming the option and its range.
void check_options(const OptimizerOptions& options);

// What epsilon stands for when it is left out.
[[nodiscard]] double epsilon_of(const OptimizerOptions& options);

}  // namespace convoy
