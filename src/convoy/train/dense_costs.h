// Whether exchanging a dense layer's factors between nodes takes less time than exchanging its gradients.
#pragma once

namespace convoy {

// The costs of one step on one rank.
struct DenseCosts {
  double factor_bytes = 0;     // sent if it exchanges factors
  double gradient_bytes = 0;   // sent if it exchanges gradients
  double product_seconds = 0;  // for multiplying the rows of all ranks
  double coding_seconds = 0;   // for encoding and decoding gradients, if they are compressed
};

// With gradients, each rank multiplies only its own rows.
[[nodiscard]] bool factors_pay(const DenseCosts& costs, double wire_rate, int ranks);

}  // namespace convoy
