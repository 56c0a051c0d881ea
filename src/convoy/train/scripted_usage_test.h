// Made-up readings of usage: each is one second after the last, no matter how fast they are asked for.
#pragma once

#include "convoy/base/mutex.h"
#include "convoy/base/usage_reading.h"

namespace convoy {

// The process keeps 1.5 cores busy, all programs of the machine 4; per second 100 bytes are received and 50 sent.
class ScriptedUsage {
 public:
  [[nodiscard]] static UsageReading at(int second) {
    return {.at = Clock::time_point() + std::chrono::seconds(second),
            .cpu_seconds = 1.5 * second,
            .resident_bytes = 1000 + second,
            .machine_cpu_seconds = 4.0 * second,
            .network = NetworkBytes{.received = 100.0 * second, .sent = 50.0 * second}};
  }

  [[nodiscard]] UsageReading next() {
    const MutexLock lock(mutex_);
    changed_.notify_all();
    return at(readings_++);
  }

  // Returns after this many readings; by then their reader has handled all but the last of them.
  void wait_for(int readings) {
    MutexLock lock(mutex_);
    while (readings_ < readings) changed_.wait(lock);
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  int readings_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy
