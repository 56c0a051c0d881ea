#include "convoy/optim/optimizer_options.h"

#include <cmath>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/name_index.h"

namespace convoy {
namespace {

void check_share(std::string_view name, double value) {
  if (!(value >= 0 && value < 1)) throw UserError("{} must be at least 0 and less than 1, got {}", name, value);
}

}  // namespace

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names = {"sgd",   "momentum", "nesterov", "adam",
                                                 "adamw", "adadelta", "lars",     "lamb"};
  return names;
}

OptimizerKind optimizer_named(std::string_view text) {
  return static_cast<OptimizerKind>(name_index("optimizer", text, optimizer_names()));
}

bool is_layerwise(OptimizerKind kind) { return kind == OptimizerKind::lars || kind == OptimizerKind::lamb; }

void check_options(const OptimizerOptions& options) {
  check_share("momentum", options.momentum);
  check_share("beta1", options.beta1);
  check_share("beta2", options.beta2);
  check_share("rho", options.rho);
  // An epsilon that is zero in single precision would not prevent a division by zero.
  constexpr double kLeastEpsilon = std::numeric_limits<float>::min();
  const double epsilon = epsilon_of(options);
  if (!(epsilon >= kLeastEpsilon && epsilon <= 1)) {
    throw UserError("epsilon must be greater than 0 (at least {:.2g}) and at most 1, got {}", kLeastEpsilon, epsilon);
  }
  if (!(options.trust > 0 && std::isfinite(options.trust))) {
    throw UserError("trust must be above 0 and finite, got {}", options.trust);
  }
  if (!(options.weight_decay >= 0 && std::isfinite(options.weight_decay))) {
    throw UserError("weight decay must be at least 0 and finite, got {}", options.weight_decay);
  }
}

double epsilon_of(const OptimizerOptions& options) {
  return options.epsilon.value_or(
      options.kind == OptimizerKind::adadelta || options.kind == OptimizerKind::lamb ? 1e-6 : 1e-8);
}

}  // namespace convoy
