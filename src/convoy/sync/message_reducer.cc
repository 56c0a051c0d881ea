#include "convoy/sync/message_reducer.h"

#include <fmt/format.h>

#include <algorithm>
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
      bucket_bytes_(options.bucket_bytes),
      compression_(compression_for(communicator, memory, options)),
      compress_after_(options.compression.after),
      whole_{.offset = 0, .count = memory.gradients().size()} {
  if (compression_ && compression_->needs_whole_tensors()) {
    for (const CompressibleTensor& tensor : options.tensors) uncut_.push_back(tensor.slice);
  }
  plan_units();
}

void MessageReducer::make_instead(std::vector<MadeSlice> slices) {
  made_ = std::move(slices);
  plan_units();
}

void MessageReducer::plan_units() {
  units_.clear();
  std::size_t done = 0;
  for (const MadeSlice& made : made_) {
    if (done < made.slice.offset) add_buckets(done, made.slice.offset);
    units_.push_back({.slice = made.slice, .made = &made});
    done = made.slice.end();
  }
  if (done < whole_.count || units_.empty()) add_buckets(done, whole_.count);
}

void MessageReducer::add_buckets(std::size_t begin, std::size_t end) {
  std::vector<ArenaSlice> buckets = plan_buckets(end - begin, bucket_bytes_);
  for (ArenaSlice& bucket : buckets) bucket.offset += begin;
  for (const ArenaSlice& slice : uncut_) keep_whole(slice, buckets);
  for (const ArenaSlice& bucket : buckets) units_.push_back({.slice = bucket});
}

void MessageReducer::begin_step(UpdateSlice update, std::int64_t step) {
  update_ = std::move(update);
  may_lose_ = step >= compress_after_;
  tickets_.clear();
  arrived_ = 0;
  times_ = {};
  active_seconds_ = 0;
}

void MessageReducer::ready(std::size_t end) {
  while (tickets_.size() < units_.size() && units_[tickets_.size()].slice.end() <= end) post(tickets_.size());
  take_arrived();
}

void MessageReducer::post(std::size_t unit) {
  tickets_.push_back(thread_.post([this, unit, may_lose = may_lose_] {
    const auto begin = Clock::now();
    exchange(units_[unit], may_lose);
    active_seconds_ += seconds_since(begin);
    note(unit, begin);
  }));
}

void MessageReducer::exchange(const Unit& unit, bool may_lose) {
  unit.made != nullptr ? unit.made->exchange(may_lose) : sum(unit.slice, may_lose && compression_ != nullptr);
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

void MessageReducer::take_arrived() {
  if (arrived_ == tickets_.size()) return;
  const std::uint64_t done = thread_.done();
  while (arrived_ < tickets_.size() && tickets_[arrived_] <= done) {
    const Unit& unit = units_[arrived_++];
    if (unit.made != nullptr) unit.made->make();
    if (update_) update_(unit.slice);
  }
}

// Unit by unit: what has come is made and updated while the rest is on its way.
void MessageReducer::wait_for_sums() {
  CONVOY_CHECK_EQ(tickets_.size(), units_.size());
  while (arrived_ < units_.size()) {
    const auto begin = Clock::now();
    thread_.wait_for(tickets_[arrived_]);
    times_.exposed += seconds_since(begin);
    take_arrived();
  }
  times_.active = active_seconds_;
}

void MessageReducer::finish() { wait_for_sums(); }

// Every rank updates everything.
void MessageReducer::gather_to_first(std::span<float> /*values*/) {}

std::string MessageReducer::description() const {
  const auto is_bucket = [](const Unit& unit) { return unit.made == nullptr; };
  const auto buckets = std::ranges::count_if(units_, is_bucket);
  const auto first_bucket = std::ranges::find_if(units_, is_bucket);
  const ArenaSlice first = first_bucket == units_.end() ? ArenaSlice{} : first_bucket->slice;
  std::string name = name_of(algorithm_);
  if (algorithm_ == Algorithm::automatic) {
    name += ", " + name_of(communicator_.chosen_for(memory_.gradients().subspan(first.offset, first.count)));
  }
  if (compression_) {
    const std::string after = compress_after_ == 0 ? "" : fmt::format("{}, after {} steps ", name, compress_after_);
    name = fmt::format("{}compressed between nodes by {}", after, compression_->description());
  }
  std::string text = fmt::format("{}, {} bucket{} of {} KiB", name, buckets, buckets == 1 ? "" : "s",
                                 first.count * sizeof(float) >> 10U);
  for (const MadeSlice& made : made_) text += (&made == made_.data() ? "; made from factors: " : ", ") + made.name;
  return text;
}

}  // namespace convoy
