#include "convoy/train/dense_costs.h"

#include <algorithm>

namespace convoy {

double wire_rate(const std::optional<AllReduceTable>& table, int nodes) {
  constexpr double kUnknown = 1.25e9;
  if (!table || table->shared.empty() || table->shared.back().times.empty()) return kUnknown;
  const AllReduceRow& longest = table->shared.back();
  const double seconds = std::ranges::min(longest.times, {}, &AllReduceTime::seconds).seconds;
  return 2.0 * static_cast<double>(longest.bytes) * (nodes - 1) / nodes / seconds;
}

bool factors_pay(const DenseCosts& costs, double wire_rate, int ranks) {
  if (costs.is_coded) return costs.factor_bytes < costs.gradient_bytes;
  const double by_factors = costs.factor_bytes / wire_rate + costs.product_seconds;
  const double by_gradients = costs.gradient_bytes / wire_rate + costs.product_seconds / ranks;
  return by_factors < by_gradients;
}

}  // namespace convoy
