// Reads every second what this rank uses, on a thread of its own that sleeps in between.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "convoy/base/mutex.h"
#include "convoy/base/usage_reading.h"
#include "convoy/record/usage_record.h"

namespace convoy {

struct UsageSamplerOptions {
  std::int64_t rank = 0;
  double elapsed_seconds = 0;  // of the run, when the sampler starts
  std::chrono::milliseconds interval = std::chrono::seconds(1);
  std::function<UsageReading()> read;
};

// The rates between two readings. The caller sets seconds, step and rank.
[[nodiscard]] UsageRecord usage_between(const UsageReading& before, const UsageReading& after);

// `read` is called by the constructor and then by the sampler's thread. Other functions may be called by any thread.
class UsageSampler {
 public:
  explicit UsageSampler(UsageSamplerOptions options);
  UsageSampler(const UsageSampler&) = delete;
  UsageSampler& operator=(const UsageSampler&) = delete;
  ~UsageSampler();

  // Says how many steps of the run are done, for the samples from now on.
  void set_step(std::int64_t step);

  // The samples since the last call, in order of time.
  [[nodiscard]] std::vector<UsageRecord> take();

 private:
  void sample_until_end();

  const UsageSamplerOptions options_;
  const UsageReading first_;
  Mutex mutex_;
  ConditionVariable changed_;
  bool ended_ CONVOY_GUARDED_BY(mutex_) = false;
  std::int64_t step_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::vector<UsageRecord> samples_ CONVOY_GUARDED_BY(mutex_);
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace convoy
