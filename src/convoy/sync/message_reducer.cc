#include "convoy/sync/message_reducer.h"

#include <fmt/format.h>

#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/sync/bucket_plan.h"

namespace convoy {
namespace {

std::unique_ptr<Compression> compression_for(Communicator& communicator, const ReplicaMemory& memory,
                                             const ReducerOptions& options) {
  if (options.compression.codec == CodecKind::none || communicator.nodes().node_count() == 1) return nullptr;
  return make_compression(communicator, options.compression, options.tensors, memory.gradients().size());
}

}  // namespace

MessageReducer::MessageReducer(Communicator& communicator, ReplicaMemory& memory, const ReducerOptions& options)
    : GradientReducer(options.timeline),
      communicator_(communicator),
      memory_(memory),
      algorithm_(options.algorithm),
      compression_(compression_for(communicator, memory, options)),
      compress_after_(options.compression.after),
      whole_{.offset = 0, .count = memory.gradients().size()},
      buckets_(plan_buckets(memory.gradients().size(), options.bucket_bytes)) {
  if (compression_ && compression_->needs_whole_tensors()) {
    for (const CompressibleTensor& tensor : options.tensors) keep_whole(tensor.slice, buckets_);
  }
}

void MessageReducer::begin_step(UpdateSlice update, std::int64_t step) {
  update_ = std::move(update);
  compresses_ = compression_ && step >= compress_after_;
  tickets_.clear();
  updated_ = 0;
  times_ = {};
  active_seconds_ = 0;
}

void MessageReducer::ready(std::size_t end) {
  while (tickets_.size() < buckets_.size() && buckets_[tickets_.size()].end() <= end) post(tickets_.size());
  if (update_ && updated_ < tickets_.size()) update_arrived();
}

void MessageReducer::post(std::size_t bucket) {
  tickets_.push_back(thread_.post([this, bucket, compressed = compresses_] {
    const auto begin = Clock::now();
    sum(buckets_[bucket], compressed);
    active_seconds_ += seconds_since(begin);
    note(bucket, begin);
  }));
}

void MessageReducer::sum(const ArenaSlice& slice, bool compressed) {
  const std::span<float> gradients = memory_.gradients();
  const std::span<float> values = gradients.subspan(slice.offset, slice.count);
  if (!compressed) return communicator_.all_reduce(values, algorithm_);
  communicator_.all_reduce(
      values,
      [&](Endpoint& nodes, std::span<float> part) {
        compression_->sum(nodes, static_cast<std::size_t>(part.data() - gradients.data()), part);
      },
      compression_->needs_whole_tensors());
}

void MessageReducer::update_arrived() {
  const std::uint64_t done = thread_.done();
  while (updated_ < tickets_.size() && tickets_[updated_] <= done) update_(buckets_[updated_++]);
}

void MessageReducer::wait_for_sums() {
  CONVOY_CHECK_EQ(tickets_.size(), buckets_.size());
  const auto begin = Clock::now();
  thread_.wait_for(tickets_.back());
  times_.exposed += seconds_since(begin);
  times_.active = active_seconds_;
}

void MessageReducer::finish() {
  // Bucket by bucket: what has come is updated while the rest is on its way.
  while (update_ && updated_ < buckets_.size()) {
    const auto begin = Clock::now();
    thread_.wait_for(tickets_.at(updated_));
    times_.exposed += seconds_since(begin);
    update_arrived();
  }
  wait_for_sums();
}

// Every rank updates everything.
void MessageReducer::gather_to_first(std::span<float> /*values*/) {}

std::string MessageReducer::description() const {
  const ArenaSlice& first = buckets_[0];
  std::string name = name_of(algorithm_);
  if (algorithm_ == Algorithm::automatic) {
    name += ", " + name_of(communicator_.chosen_for(memory_.gradients().subspan(first.offset, first.count)));
  }
  if (compression_) {
    const std::string after = compress_after_ == 0 ? "" : fmt::format("{}, after {} steps ", name, compress_after_);
    name = fmt::format("{}compressed between nodes by {}", after, compression_->description());
  }
  return fmt::format("{}, {} bucket{} of {} KiB", name, buckets_.size(), buckets_.size() == 1 ? "" : "s",
                     first.count * sizeof(float) >> 10U);
}

}  // namespace convoy
