#include "convoy/base/timeline.h"

#include <utility>

namespace convoy {

void Timeline::start() {
  const MutexLock lock(mutex_);
  recording_ = true;
  zero_ = Clock::now();
}

void Timeline::stop() {
  const MutexLock lock(mutex_);
  recording_ = false;
}

void Timeline::add(Lane lane, std::string name, Clock::time_point begin, Clock::time_point end) {
  const MutexLock lock(mutex_);
  if (!recording_ || begin < zero_) return;
  events_.push_back({.lane = lane,
                     .name = std::move(name),
                     .begin = seconds_between(zero_, begin),
                     .seconds = seconds_between(begin, end)});
}

std::vector<TimelineEvent> Timeline::events() {
  const MutexLock lock(mutex_);
  return events_;
}

}  // namespace convoy
