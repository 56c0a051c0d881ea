// The update rules there are, their names, and what can be set of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

enum class OptimizerKind : std::uint8_t { sgd, momentum, nesterov, adam, adamw, adadelta };

// "sgd", "momentum", "nesterov", "adam", "adamw", "adadelta": the names users write, in the order of OptimizerKind.
[[nodiscard]] const std::vector<std::string>& optimizer_names();
// Throws UserError with the nearest name when `text` is none of them.
[[nodiscard]] OptimizerKind optimizer_named(std::string_view text);

// What a rule has no use for is ignored. Double precision, so that 1 - beta is what the user meant.
struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::sgd;
  double momentum = 0.9;          // momentum, nesterov: share of the velocity kept in each step; [0, 1)
  double beta1 = 0.9;             // adam, adamw: the same for the mean of gradients; [0, 1)
  double beta2 = 0.999;           // adam, adamw: and for the mean of their squares; [0, 1)
  double rho = 0.9;               // adadelta: and for its two means of squares; [0, 1)
  std::optional<double> epsilon;  // > 0; keeps divisors from zero. Left out: 1e-8, for adadelta 1e-6
  double weight_decay = 0;        // >= 0; adamw shrinks parameters by rate * weight_decay, the others add
                                  // weight_decay * parameter to the gradient
};

// Throws UserError naming the option and its range.
void check_options(const OptimizerOptions& options);

// What epsilon stands for when it is left out.
[[nodiscard]] double epsilon_of(const OptimizerOptions& options);

}  // namespace convoy
