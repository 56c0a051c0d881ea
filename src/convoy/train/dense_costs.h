// Whether exchanging a dense layer's factors between nodes takes less time than exchanging its gradients.
#pragma once

namespace convoy {

// The costs of one step on one rank.
struct DenseCosts {
  double factor_bytes = 0;     // sent if it exchanges factors
  double gradient_bytes = 0;   // sent if it exchanges gradients
  double product_seconds = 0;  // for multiplying the rows of all ranks
  bool is_coded = false;       // whether gradients are compressed
};

// By gradients, each rank multiplies its own rows only. To encode and decode them takes about as long as the product of
// all rows, so where they are coded bytes alone decide.
[[nodiscard]] bool factors_pay(const DenseCosts& costs, double wire_rate, int ranks);

}  // namespace convoy
