// Whether a dense layer's factors take less time than its gradients between nodes.
#pragma once

namespace convoy {

// Of one step on one rank.
struct DenseCosts {
  double factor_bytes = 0;     // that it sends by factors
  double gradient_bytes = 0;   // that it sends by gradients
  double product_seconds = 0;  // to multiply the rows of all ranks
  bool is_coded = false;       // gradients are compressed
};

// By gradients, each rank multiplies its own rows only. To encode and decode them takes about as long as the product of
// all rows, so where they are coded bytes alone decide.
[[nodiscard]] bool factors_pay(const DenseCosts& costs, double wire_rate, int ranks);

}  // namespace convoy
