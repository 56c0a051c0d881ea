// Waits between polls of a condition: first spinning, then yielding to other threads, and finally sleeping, so that a
// long wait does not take CPU time from threads that compute.
#pragma once

#include <chrono>

#include "convoy/base/clock.h"

namespace convoy {

class Patience {
 public:
  explicit Patience(std::chrono::milliseconds limit) : limit_(limit) {}

  // Waits a moment. False when the limit, counted from the first call, has been reached.
  [[nodiscard]] bool wait();

  // Whether the wait has lasted so long that it sleeps between polls. Checks that are too expensive for every poll
  // belong there.
  [[nodiscard]] bool pausing() const { return pausing_; }

 private:
  std::chrono::milliseconds limit_;
  int looks_ = 0;
  bool pausing_ = false;
  Clock::time_point begin_;
};

}  // namespace convoy
