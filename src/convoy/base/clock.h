// Time for measuring: the steady clock, which neither jumps nor runs backwards.
#pragma once

#include <chrono>

namespace convoy {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

[[nodiscard]] inline double seconds_since(Clock::time_point begin) { return seconds_between(begin, Clock::now()); }

}  // namespace convoy
