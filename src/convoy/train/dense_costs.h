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

// With gradients, each rank multiplies only its own rows. Encoding and decoding them takes about as long as the product
// of all rows, so if they are coded only the bytes decide.
[[nodiscard]] bool factors_pay(const DenseCosts& costs, double wire_rate, int ranks);

}  // namespace convoy
