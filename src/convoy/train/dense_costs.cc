#include "convoy/train/dense_costs.h"

namespace convoy {

const char* name_of(DenseWay way) {
  switch (way) {
    case DenseWay::gradients:
      return "gradients";
    case DenseWay::factors:
      return "factors";
    case DenseWay::activations:
      return "activations";
  }
  return "";
}

double seconds_by(DenseWay way, const DenseCosts& costs, double wire_rate, int ranks) {
  const double whole_layer = costs.passes_seconds + costs.update_seconds;
  switch (way) {
    case DenseWay::gradients:
      return costs.gradient_bytes / wire_rate + costs.product_seconds / ranks + costs.coding_seconds + whole_layer;
    case DenseWay::factors:
      return costs.factor_bytes / wire_rate + costs.product_seconds + whole_layer;
    case DenseWay::activations:
      return costs.activation_bytes / wire_rate + costs.divided_seconds + costs.update_seconds / ranks;
  }
  return 0;
}

DenseWay fastest_way(const DenseCosts& costs, double wire_rate, int ranks) {
  DenseWay best = DenseWay::gradients;
  for (const DenseWay way : kDenseWays) {
    if (way == DenseWay::activations && !costs.can_divide) continue;
    if (seconds_by(way, costs, wire_rate, ranks) < seconds_by(best, costs, wire_rate, ranks)) best = way;
  }
  return best;
}

}  // namespace convoy
