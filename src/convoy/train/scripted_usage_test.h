// Readings of usage that grow by the same amounts, a second each, however fast they are asked for.
#pragma once

#include "convoy/base/mutex.h"
#include "convoy/base/usage_reading.h"

namespace convoy {

// 1.5 cores of the process and 4 of its machine are busy; 100 bytes come and 50 go in a second.
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

  // Of all readings but the last, whoever asked for them has made use by then.
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
