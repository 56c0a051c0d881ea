// Whether exchanging a dense layer's factors between nodes takes less time than exchanging its gradients.
#pragma once

#include <optional>

#include "convoy/comm/all_reduce_table.h"

namespace convoy {

// The costs of one step on one rank.
struct DenseCosts {
  double factor_bytes = 0;     // sent if it exchanges factors
  double gradient_bytes = 0;   // sent if it exchanges gradients
  double product_seconds = 0;  // for multiplying the rows of all ranks
  bool is_coded = false;       // whether gradients are compressed
};

// Bytes per second that a rank gets through the network while all do, as measured; a network of 10 Gbit/s where nothing
// was.
[[nodiscard]] double wire_rate(const std::optional<AllReduceTable>& table, int nodes);

// By gradients, each rank multiplies its own rows only. To encode and decode them takes about as long as the product of
// all rows, so where they are coded bytes alone decide.
[[nodiscard]] bool factors_pay(const DenseCosts& costs, double wire_rate, int ranks);

}  // namespace convoy
