#include "convoy/train/dense_costs.h"

namespace convoy {

bool factors_pay(const DenseCosts& costs, double wire_rate, int ranks) {
  const double by_factors = costs.factor_bytes / wire_rate + costs.product_seconds;
  const double by_gradients = costs.gradient_bytes / wire_rate + costs.product_seconds / ranks + costs.coding_seconds;
  return by_factors < by_gradients;
}

}  // namespace convoy
