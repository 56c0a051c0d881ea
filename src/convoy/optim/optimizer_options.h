// The update rules, their names, and their options.
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

// Whether the rule uses the norms of whole layers (Optimizer::measure) instead of treating each element by itself.
[[nodiscard]] bool is_layerwise(OptimizerKind kind);

// Options that a rule does not use are ignored. They are double precision so that 1 - beta is what the user meant.
struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::sgd;
  double momentum = 0.9;          // momentum, nesterov, lars: share of the velocity kept in each step; [0, 1)
  double beta1 = 0.9;             // adam, adamw, lamb: share of the mean of gradients kept in each step; [0, 1)
  double beta2 = 0.999;           // adam, adamw, lamb: share of the mean of their squares kept in each step; [0, 1)
  double rho = 0.9;               // adadelta: share of its two means of squares kept in each step; [0, 1)
  std::optional<double> epsilon;  // > 0; keeps divisors away from zero. Default: 1e-8, for adadelta and lamb 1e-6
  double trust = 0.01;            // lars: length of a layer's step relative to its weights, at a rate of 1; > 0
  double weight_decay = 0;        // >= 0; adamw shrinks parameters by rate * weight_decay, lamb adds
                                  // weight_decay * parameter to the step, the others to the gradient
};

// Throws UserError naming the option and its range.
void check_options(const OptimizerOptions& options);

// The given epsilon, or the rule's default.
[[nodiscard]] double epsilon_of(const OptimizerOptions& options);

}  // namespace convoy
