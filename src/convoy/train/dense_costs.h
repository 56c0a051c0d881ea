// Which exchange between nodes takes least time for a dense layer.
#pragma once

#include <array>
#include <cstdint>

namespace convoy {

// What ranks exchange for a dense layer.
enum class DenseWay : std::uint8_t {
  gradients,    // of the weights, which are summed
  factors,      // the two matrices whose product the gradient is; each rank multiplies all rows
  activations,  // rows that the layer reads and writes; each rank has only a part of the weights (divided_dense.h)
};

inline constexpr std::array kDenseWays = {DenseWay::gradients, DenseWay::factors, DenseWay::activations};

// As users write it.
[[nodiscard]] const char* name_of(DenseWay way);

// The costs of one step on one rank.
struct DenseCosts {
  // Sent, by each way.
  double gradient_bytes = 0;
  double factor_bytes = 0;
  double activation_bytes = 0;
  double passes_seconds = 0;   // for the output and the input's gradient of the own rows
  double product_seconds = 0;  // for the weight gradient of the rows of all ranks
  double update_seconds = 0;   // for all of the layer's parameters
  double coding_seconds = 0;   // for encoding and decoding gradients, if they are compressed
  double divided_seconds = 0;  // for all passes of the rows of all ranks through the own part of the layer
  bool can_divide = false;
};

// What a step takes that way. With gradients, each rank multiplies only its own rows.
[[nodiscard]] double seconds_by(DenseWay way, const DenseCosts& costs, double wire_rate, int ranks);

[[nodiscard]] DenseWay fastest_way(const DenseCosts& costs, double wire_rate, int ranks);

}  // namespace convoy
