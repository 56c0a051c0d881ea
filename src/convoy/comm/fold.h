// Makes algorithms that need a power of two work for any number of ranks.
#pragma once

#include <span>

#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// With p the largest power of two not above the number of ranks, ranks from p on ("guests") give their values to the
// rank that is p lower and take no part in the algorithm; at the end they get the result. This costs two messages of
// the full length, and none when the number of ranks is a power of two.
class Fold {
 public:
  explicit Fold(Endpoint& endpoint);

  // How many ranks run the algorithm: ranks 0 to power()-1.
  [[nodiscard]] int power() const { return power_; }
  [[nodiscard]] bool takes_part() const { return endpoint_.rank() < power_; }

  // Both are collective; called before and after the algorithm.
  void gather_guests(std::span<float> values, Scratch& scratch);
  void return_to_guests(std::span<float> values);

 private:
  [[nodiscard]] bool has_guest() const { return endpoint_.rank() + power_ < endpoint_.size(); }

  Endpoint& endpoint_;
  int power_;
};

}  // namespace convoy
