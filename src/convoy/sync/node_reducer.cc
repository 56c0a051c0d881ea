#include "convoy/sync/node_reducer.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/comm/stream_copy.h"
#include "convoy/comm/sums.h"
#include "convoy/sync/bucket_plan.h"

namespace convoy {
namespace {

// This many floats of each thread are summed, updated and published before the next chunk, so that they stay in the
// cache for all three.
constexpr std::size_t kChunk = std::size_t{1} << 15;
// An arena with more floats than this no longer fits into the caches, so new parameters are out of them before the next
// forward pass reads them.
constexpr std::size_t kFloatsInCaches = std::size_t{1} << 23;
// Smaller parts are not worth dividing among threads.
constexpr std::size_t kThreadChunk = std::size_t{1} << 12;

std::vector<ArenaSlice> plan_shares(const std::vector<ArenaSlice>& buckets, const ReplicaMemory& memory) {
  std::vector<ArenaSlice> own;
  const auto ranks = static_cast<int>(memory.gradients_in_node().size());
  for (const ArenaSlice& bucket : buckets) own.push_back(share_of(bucket, memory.local_rank(), ranks));
  return own;
}

template <typename Body>
void in_chunks(const ArenaSlice& slice, std::size_t chunk, const Body& body) {
  for (std::size_t done = 0; done < slice.count; done += chunk) {
    body(ArenaSlice{.offset = slice.offset + done, .count = std::min(chunk, slice.count - done)});
  }
}

template <typename Body>
void on_threads(const ArenaSlice& slice, const Body& body) {
  const auto chunks = static_cast<std::ptrdiff_t>((slice.count + kThreadChunk - 1) / kThreadChunk);
#pragma omp parallel for if (chunks > 1)
  for (std::ptrdiff_t i = 0; i < chunks; ++i) {
    const std::size_t begin = static_cast<std::size_t>(i) * kThreadChunk;
    body(ArenaSlice{.offset = slice.offset + begin, .count = std::min(kThreadChunk, slice.count - begin)});
  }
}

}  // namespace

NodeReducer::NodeReducer(Communicator& communicator, ReplicaMemory& memory, const ReducerOptions& options)
    : GradientReducer(options.timeline),
      communicator_(communicator),
      memory_(memory),
      buckets_(plan_buckets(memory.gradients().size(), options.bucket_bytes)),
      shares_(plan_shares(buckets_, memory)),
      own_slices_(shares_),
      ready_(communicator.transport()),
      done_(communicator.transport()) {
  CONVOY_CHECK_EQ(static_cast<std::size_t>(communicator.size()), memory.gradients_in_node().size());
  if (is_alone()) own_slices_ = {{.offset = 0, .count = memory.gradients().size()}};
}

void NodeReducer::begin_step(UpdateSlice update, std::int64_t /*step*/) {
  update_ = std::move(update);
  noted_ = taken_ = 0;
  times_ = {};
  update_seconds_ = 0;
}

void NodeReducer::ready(std::size_t end) {
  while (noted_ < buckets_.size() && buckets_[noted_].end() <= end) ready_.raise(ready_count(noted_++));
  const auto begin = Clock::now();
  const double updated = update_seconds_;
  if (is_alone()) {
    update_noted();
  } else {
    while (taken_ < noted_ && ready_.all_reached(ready_count(taken_))) take(taken_++);
  }
  times_.exposed += seconds_since(begin) - (update_seconds_ - updated);
}

void NodeReducer::wait_for_sums() {
  CONVOY_CHECK_EQ(noted_, buckets_.size());
  const auto begin = Clock::now();
  const double updated = update_seconds_;
  while (taken_ < buckets_.size()) {
    ready_.await(ready_count(taken_));
    take(taken_++);
  }
  times_.exposed += seconds_since(begin) - (update_seconds_ - updated);
}

// What is complete is updated in one pass, so that it is worth dividing among threads.
void NodeReducer::update_noted() {
  if (taken_ == noted_) return;
  const auto begin = Clock::now();
  const std::size_t offset = buckets_[taken_].offset;
  if (update_) update({.offset = offset, .count = buckets_[noted_ - 1].end() - offset});
  taken_ = noted_;
  note(taken_ - 1, begin);
}

void NodeReducer::take(std::size_t bucket) {
  const auto begin = Clock::now();
  const std::size_t chunk_floats = kChunk * static_cast<std::size_t>(omp_get_max_threads());
  in_chunks(shares_[bucket], chunk_floats, [&](const ArenaSlice& chunk) {
    sum(chunk);
    if (!update_) return;
    update(chunk);
    publish(chunk);
  });
  note(bucket, begin);
}

void NodeReducer::finish() {
  wait_for_sums();
  const auto begin = Clock::now();
  if (!update_) {
    for (const ArenaSlice& slice : own_slices_) publish(slice);
  }
  done_.raise(++meetings_);
  done_.await(meetings_);
  ++steps_;
  times_.exposed += seconds_since(begin);
  times_.active = times_.exposed;
}

void NodeReducer::update(const ArenaSlice& slice) {
  const auto begin = Clock::now();
  update_(slice);
  update_seconds_ += seconds_since(begin);
}

// Writes the sum to this rank's own memory, which no other rank reads before the next step.
void NodeReducer::sum(const ArenaSlice& slice) const {
  const std::vector<std::span<float>>& all = memory_.gradients_in_node();
  if (all.size() == 1) return;
  const std::span<float> own = memory_.gradients();
  on_threads(slice, [&](const ArenaSlice& chunk) {
    // Always added in the order of ranks, so that a sum does not depend on which rank computes it.
    add_parts(all, chunk.offset, own.subspan(chunk.offset, chunk.count));
  });
}

void NodeReducer::publish(const ArenaSlice& slice) const {
  const std::vector<std::span<float>>& all = memory_.parameters_in_node();
  if (all.size() == 1) return;
  const bool cached = memory_.parameters().size() <= kFloatsInCaches;
  on_threads(slice, [&](const ArenaSlice& chunk) {
    const std::span<const float> own = memory_.parameters().subspan(chunk.offset, chunk.count);
    for (std::size_t local = 0; local < all.size(); ++local) {
      if (static_cast<int>(local) == memory_.local_rank()) continue;
      const std::span<float> other = all[local].subspan(chunk.offset, chunk.count);
      if (cached) {
        std::ranges::copy(own, other.begin());
      } else {
        stream_copy(own, other);
      }
      publish_copies(chunk, memory_.copies_in_node()[local]);
    }
  });
}

void NodeReducer::publish_copies(const ArenaSlice& slice, std::span<BFloat16> other) const {
  if (other.empty()) return;
  const std::span<const BFloat16> own = memory_.copies().subspan(slice.offset, slice.count);
  std::ranges::copy(own, other.subspan(slice.offset, slice.count).begin());
}

void NodeReducer::gather_to_first(std::span<float> values) {
  const std::vector<std::span<float>>& all = memory_.gradients_in_node();
  if (all.size() == 1) return;
  for (const ArenaSlice& slice : own_slices_) {
    std::ranges::copy(values.subspan(slice.offset, slice.count), all[0].subspan(slice.offset, slice.count).begin());
  }
  done_.raise(++meetings_);
  done_.await(meetings_);
  if (memory_.local_rank() == 0) std::ranges::copy(all[0], values.begin());
  // Only now may the others write to the first rank's gradients again.
  done_.raise(++meetings_);
  done_.await(meetings_);
}

std::string NodeReducer::description() const {
  if (communicator_.size() == 1) return "none";
  return fmt::format("in shared memory, {} bucket{} of {} KiB", buckets_.size(), buckets_.size() == 1 ? "" : "s",
                     buckets_[0].count * sizeof(float) >> 10U);
}

}  // namespace convoy
