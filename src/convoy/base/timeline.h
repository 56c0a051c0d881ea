// What a process did and when: named intervals of time on lanes, for a trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/base/mutex.h"

namespace convoy {

// Intervals on one lane do not overlap.
enum class Lane : std::uint8_t { compute, communication };

struct TimelineEvent {
  Lane lane = Lane::compute;
  std::string name;
  double begin = 0;  // seconds since the timeline's start
  double seconds = 0;
};

// Thread rule: any thread may add at any time.
class Timeline {
 public:
  // Begins to keep intervals; time zero is now.
  void start();
  // Intervals added from now on are dropped.
  void stop();

  // Drops an interval that begins before start() or ends after stop().
  void add(Lane lane, std::string name, Clock::time_point begin, Clock::time_point end = Clock::now());

  [[nodiscard]] std::vector<TimelineEvent> events();

 private:
  Mutex mutex_;
  bool recording_ CONVOY_GUARDED_BY(mutex_) = false;
  Clock::time_point zero_ CONVOY_GUARDED_BY(mutex_);
  std::vector<TimelineEvent> events_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
