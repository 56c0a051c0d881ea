#include "convoy/sync/message_reducer.h"

#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/sync/bucket_plan.h"

namespace convoy {

MessageReducer::MessageReducer(Communicator& communicator, ReplicaMemory& memory, const ReducerOptions& options)
    : communicator_(communicator),
      memory_(memory),
      algorithm_(options.algorithm),
      whole_{.offset = 0, .count = memory.gradients().size()},
      buckets_(plan_buckets(memory.gradients().size(), options.bucket_bytes)) {}

void MessageReducer::begin_step(UpdateSlice update) {
  update_ = std::move(update);
  earlier_ += std::exchange(posted_, 0);
  updated_ = 0;
  times_ = {};
  active_seconds_ = 0;
}

void MessageReducer::ready(std::size_t end) {
  while (posted_ < buckets_.size() && buckets_[posted_].end() <= end) post(posted_++);
  if (update_ && updated_ < posted_) update_arrived(static_cast<std::size_t>(thread_.done() - earlier_));
}

void MessageReducer::post(std::size_t bucket) {
  thread_.post([this, bucket] {
    const auto begin = Clock::now();
    const ArenaSlice& slice = buckets_[bucket];
    communicator_.all_reduce(memory_.gradients().subspan(slice.offset, slice.count), algorithm_);
    active_seconds_ += seconds_since(begin);
  });
}

void MessageReducer::update_arrived(std::size_t arrived) {
  while (updated_ < arrived) update_(buckets_[updated_++]);
}

void MessageReducer::wait_for_sums() {
  CONVOY_CHECK_EQ(posted_, buckets_.size());
  const auto begin = Clock::now();
  thread_.wait_for(earlier_ + posted_);
  times_.exposed += seconds_since(begin);
  times_.active = active_seconds_;
}

void MessageReducer::finish() {
  // Bucket by bucket: what has come is updated while the rest is on its way.
  while (update_ && updated_ < buckets_.size()) {
    const auto begin = Clock::now();
    thread_.wait_for(earlier_ + updated_ + 1);
    times_.exposed += seconds_since(begin);
    update_arrived(static_cast<std::size_t>(thread_.done() - earlier_));
  }
  wait_for_sums();
}

// Every rank updates everything.
void MessageReducer::gather_to_first(std::span<float> /*values*/) {}

}  // namespace convoy
