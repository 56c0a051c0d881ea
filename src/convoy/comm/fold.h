// Fitting any number of ranks to algorithms that want a power of two.
#pragma once

#include <span>

#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// The ranks from the largest power of two on ("guests") give their values to the rank that much lower and stay out.
// Afterwards they are given the result. Costs two messages of the full length; none where n is a power of two.
class Fold {
 public:
  explicit Fold(Endpoint& endpoint);

  // How many ranks run the algorithm: ranks 0 to power()-1.
  [[nodiscard]] int power() const { return power_; }
  [[nodiscard]] bool takes_part() const { return endpoint_.rank() < power_; }

  // Collective, before and after the algorithm.
  void gather_guests(std::span<float> values, Scratch& scratch);
  void return_to_guests(std::span<float> values);

 private:
  [[nodiscard]] bool has_guest() const { return endpoint_.rank() + power_ < endpoint_.size(); }

  Endpoint& endpoint_;
  int power_;
};

}  // namespace convoy
