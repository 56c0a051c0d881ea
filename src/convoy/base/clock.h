// Time for measuring: the steady clock, which neither jumps nor runs backwards, and the CPU time of this process.
#pragma once

#include <chrono>
#include <ctime>

namespace convoy {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

[[nodiscard]] inline double seconds_since(Clock::time_point begin) { return seconds_between(begin, Clock::now()); }

// The CPU time that all threads of this process have used so far.
[[nodiscard]] inline double process_cpu_seconds() {
  std::timespec time{};
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace convoy
