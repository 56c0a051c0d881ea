// How to wait for something that has to be looked at again and again: first without giving up the processor, then
// between other threads' turns, at last with pauses, so that a long wait does not take time from those who compute.
#pragma once

#include <chrono>

#include "convoy/base/clock.h"

namespace convoy {

class Patience {
 public:
  explicit Patience(std::chrono::milliseconds limit) : limit_(limit) {}

  // Lets a moment pass. False when the limit has been reached, counted from the first call.
  [[nodiscard]] bool wait();

  // Whether the wait has become a long one, of pauses. What is too dear to do on every look belongs there.
  [[nodiscard]] bool pausing() const { return pausing_; }

 private:
  std::chrono::milliseconds limit_;
  int looks_ = 0;
  bool pausing_ = false;
  Clock::time_point begin_;
};

}  // namespace convoy
