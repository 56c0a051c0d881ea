#include "convoy/train/usage_sampler.h"

#include <algorithm>
#include <utility>

namespace convoy {

UsageRecord usage_between(const UsageReading& before, const UsageReading& after) {
  const double span = seconds_between(before.at, after.at);
  // The system's counters may start from zero again, for example when a driver is reloaded.
  const auto rate = [&](double from, double to) { return span > 0 ? std::max(to - from, 0.0) / span : 0; };
  UsageRecord record{.cpu_use = rate(before.cpu_seconds, after.cpu_seconds), .memory_bytes = after.resident_bytes};
  if (before.machine_cpu_seconds && after.machine_cpu_seconds) {
    record.machine_cpu_use = rate(*before.machine_cpu_seconds, *after.machine_cpu_seconds);
  }
  if (before.network && after.network) {
    record.received_bytes_per_second = rate(before.network->received, after.network->received);
    record.sent_bytes_per_second = rate(before.network->sent, after.network->sent);
  }
  return record;
}

UsageSampler::UsageSampler(UsageSamplerOptions options)
    : options_(std::move(options)), first_(options_.read()), thread_([this] { sample_until_end(); }) {}

UsageSampler::~UsageSampler() {
  {
    const MutexLock lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void UsageSampler::set_step(std::int64_t step) {
  const MutexLock lock(mutex_);
  step_ = step;
}

std::vector<UsageRecord> UsageSampler::take() {
  const MutexLock lock(mutex_);
  return std::exchange(samples_, {});
}

// Releases the lock while it reads from the system, so that the training thread need not wait.
void UsageSampler::sample_until_end() {
  UsageReading before = first_;
  auto due = Clock::now() + options_.interval;
  MutexLock lock(mutex_);
  while (!ended_) {
    if (Clock::now() < due) {
      changed_.wait_until(lock, due);
      continue;
    }
    lock.unlock();
    const UsageReading after = options_.read();
    UsageRecord record = usage_between(before, after);
    record.seconds = options_.elapsed_seconds + seconds_between(first_.at, after.at);
    record.rank = options_.rank;
    before = after;
    // After a sleep of the machine, the samples that were missed are not made up for.
    due = std::max(due + options_.interval, Clock::now());
    lock.lock();
    record.step = step_;
    samples_.push_back(record);
  }
}

}  // namespace convoy
