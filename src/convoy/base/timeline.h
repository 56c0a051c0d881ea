// What a process did when: named stretches of time on lanes, for a trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/base/mutex.h"

namespace convoy {

// Stretches on one lane do not overlap.
enum class Lane : std::uint8_t { compute, communication };

struct TimelineEvent {
  Lane lane = Lane::compute;
  std::string name;
  double begin = 0;  // seconds since the timeline's start
  double seconds = 0;
};

// Thread rule: any threads may add.
class Timeline {
 public:
  // Time zero is now.
  void start();
  // From now on nothing is kept any more.
  void stop();

  // What began before the start, or ends after the stop, is not kept.
  void add(Lane lane, std::string name, Clock::time_point begin, Clock::time_point end = Clock::now());

  [[nodiscard]] std::vector<TimelineEvent> events();

 private:
  Mutex mutex_;
  bool recording_ CONVOY_GUARDED_BY(mutex_) = false;
  Clock::time_point zero_ CONVOY_GUARDED_BY(mutex_);
  std::vector<TimelineEvent> events_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
