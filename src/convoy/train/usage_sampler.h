// Reads each second what this rank uses. A thread of its own does it, which sleeps in between.
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
  double elapsed_seconds = 0;  // of the run when the sampler starts
  std::chrono::milliseconds interval = std::chrono::seconds(1);
  std::function<UsageReading()> read;
};

// The rates between two readings; seconds, step and rank are the caller's to add.
[[nodiscard]] UsageRecord usage_between(const UsageReading& before, const UsageReading& after);

// `read` is called by the thread that makes the sampler, then by the sampler's. All else may be called by any thread.
class UsageSampler {
 public:
  explicit UsageSampler(UsageSamplerOptions options);
  UsageSampler(const UsageSampler&) = delete;
  UsageSampler& operator=(const UsageSampler&) = delete;
  ~UsageSampler();

  // For the samples from now on: steps of the run that are done.
  void set_step(std::int64_t step);

  // The samples since the last call, in their order.
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
