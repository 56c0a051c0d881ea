#include "convoy/sync/message_reducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/sync/adasum.h"
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
      reduction_(options.reduction),
      compress_after_(options.compression.after),
      whole_{.offset = 0, .count = memory.gradients().size()},
      thread_([this](std::uint64_t own) { return agree(own); }) {
  if (compression_ && compression_->needs_whole_tensors()) {
    for (const CompressibleTensor& tensor : options.tensors) uncut_.push_back(tensor.slice);
  }
  if (reduction_ == Reduction::adasum) uncut_ = options.layers;
  if (options.shards && communicator.nodes().node_count() > 1) {
    CONVOY_CHECK(compression_ == nullptr && reduction_ == Reduction::mean);
    shards_ = std::make_unique<ShardedUpdate>(communicator, memory, options.in_bf16);
  }
  plan_units();
}

void MessageReducer::make_instead(std::vector<MadeSlice> slices) {
  made_ = std::move(slices);
  plan_units();
}

void MessageReducer::divide(std::vector<DividedSlice> slices) {
  divided_ = std::move(slices);
  plan_units();
}

void MessageReducer::plan_units() {
  std::vector<Unit> special;
  for (const MadeSlice& made : made_) special.push_back({.slice = made.slice, .made = &made});
  for (const DividedSlice& divided : divided_) special.push_back({.slice = divided.slice, .divided = &divided});
  std::ranges::sort(special, {}, [](const Unit& unit) { return unit.slice.offset; });
  units_.clear();
  std::size_t done = 0;
  for (const Unit& unit : special) {
    if (done < unit.slice.offset) add_buckets(done, unit.slice.offset);
    units_.push_back(unit);
    done = unit.slice.end();
  }
  if (done < whole_.count || units_.empty()) add_buckets(done, whole_.count);
  share_out();
}

// Slices that every rank updates are counted by the first rank, if others are divided between ranks.
void MessageReducer::share_out() {
  own_slices_ = counted_slices_ = {whole_};
  uncounted_slices_.clear();
  if (!has_owners()) return;
  counted_slices_.clear();
  const auto count = [&](std::span<const ArenaSlice> slices) {
    counted_slices_.insert(counted_slices_.end(), slices.begin(), slices.end());
  };
  std::vector<ArenaSlice> buckets;
  for (const Unit& unit : units_) {
    if (unit.divided != nullptr) {
      count(own_parts(unit));
    } else if (shards_ && unit.is_bucket()) {
      buckets.push_back(unit.slice);
    } else {
      (communicator_.rank() == 0 ? counted_slices_ : uncounted_slices_).push_back(unit.slice);
    }
  }
  if (shards_) {
    shards_->share_out(std::move(buckets));
    count(shards_->own());
  }
  own_slices_ = counted_slices_;
  own_slices_.insert(own_slices_.end(), uncounted_slices_.begin(), uncounted_slices_.end());
}

std::span<const ArenaSlice> MessageReducer::own_parts(const Unit& unit) const {
  return unit.divided->parts[static_cast<std::size_t>(communicator_.rank())];
}

void MessageReducer::add_buckets(std::size_t begin, std::size_t end) {
  std::vector<ArenaSlice> buckets = plan_buckets(end - begin, bucket_bytes_);
  for (ArenaSlice& bucket : buckets) bucket.offset += begin;
  for (const ArenaSlice& slice : uncut_) keep_whole(slice, buckets);
  for (const ArenaSlice& bucket : buckets) units_.push_back({.slice = bucket});
}

void MessageReducer::begin_step(UpdateSlice update, std::int64_t step) {
  settle();
  update_ = std::move(update);
  may_lose_ = step >= compress_after_;
  posted_ = taken_ = 0;
  times_ = {};
}

void MessageReducer::ready(std::size_t end) {
  while (posted_ < units_.size() && units_[posted_].slice.end() <= end) post(posted_++);
  take_arrived();
}

// Backward completes units in their order, and forward needs them in the reverse order, so later ones are more urgent.
void MessageReducer::post(std::size_t unit) {
  if (units_[unit].divided != nullptr) return take_own_parts(units_[unit]);
  units_[unit].is_taken = false;
  units_[unit].ticket = thread_.post(
      [this, unit, may_lose = may_lose_] {
        const auto begin = Clock::now();
        exchange(units_[unit], may_lose);
        active_seconds_ += seconds_since(begin);
        note(unit, begin);
      },
      static_cast<int>(unit));
}

void MessageReducer::take_own_parts(const Unit& unit) {
  ++taken_;
  if (!update_) return;
  for (const ArenaSlice& part : own_parts(unit)) update_(part);
}

void MessageReducer::exchange_now(const std::function<void()>& exchange, const std::function<void()>& meanwhile) {
  const auto task = [&] {
    const auto begin = Clock::now();
    exchange();
    active_seconds_ += seconds_since(begin);
    note("rows", begin);
  };
  const std::uint64_t ticket = thread_.post(task, std::numeric_limits<int>::max());
  if (meanwhile) meanwhile();
  const auto begin = Clock::now();
  thread_.wait_for(ticket);
  exposed_seconds_ += seconds_since(begin);
}

void MessageReducer::run_in_turn(const std::function<void()>& exchange) {
  thread_.wait_for(thread_.post(exchange, std::numeric_limits<int>::max()));
}

// The first rank decides. A rank that has not posted that task yet waits until it has.
std::uint64_t MessageReducer::agree(std::uint64_t own) {
  communicator_.broadcast(std::as_writable_bytes(std::span(&own, 1)));
  return own;
}

void MessageReducer::exchange(const Unit& unit, bool may_lose) {
  if (unit.made != nullptr) return unit.made->exchange(may_lose);
  if (!shards_) return sum(unit.slice, may_lose && compression_ != nullptr);
  update_ ? shards_->sum_and_update(unit.slice, update_) : shards_->sum(unit.slice);
}

void MessageReducer::sum(const ArenaSlice& slice, bool compressed) {
  if (reduction_ == Reduction::adasum) return combine(slice);
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

// Gradients are shares of a mean over all parties, while Adasum combines each party's own mean; hence the factor.
void MessageReducer::combine(const ArenaSlice& slice) {
  std::vector<std::size_t> ends;
  for (const ArenaSlice& tensor : uncut_) {
    if (tensor.offset > slice.offset && tensor.offset < slice.end()) ends.push_back(tensor.offset - slice.offset);
  }
  ends.push_back(slice.count);
  const auto reduce = [&](Endpoint& parties, std::span<float> values) {
    adasum_all_reduce(parties, values, ends, scratch_);
    for (float& value : values) value *= static_cast<float>(parties.size());
  };
  const std::span<float> values = memory_.gradients().subspan(slice.offset, slice.count);
  if (communicator_.nodes().node_count() == 1) {
    reduce(communicator_.transport(), values);
  } else {
    communicator_.all_reduce(values, reduce, true);
  }
}

void MessageReducer::take_arrived() {
  for (std::size_t i = 0; i < posted_ && taken_ < posted_; ++i) {
    Unit& unit = units_[i];
    if (unit.is_taken || !thread_.is_done(unit.ticket)) continue;
    if (unit.made != nullptr) unit.made->make();
    const bool is_updated_elsewhere = shards_ != nullptr && unit.is_bucket();
    if (update_) is_updated_elsewhere ? shards_->take(unit.slice) : update_(unit.slice);
    unit.is_taken = true;
    ++taken_;
  }
}

// Waits for the units from `first` up to, but not including, `last`. Meanwhile, units that have arrived are made and
// updated.
void MessageReducer::wait_until_taken(std::size_t first, std::size_t last) {
  const auto is_missing = [](const Unit& unit) { return !unit.is_taken; };
  const std::span<const Unit> wanted = std::span<const Unit>(units_).subspan(first, last - first);
  while (std::ranges::any_of(wanted, is_missing)) {
    const std::uint64_t done = thread_.done_count();
    take_arrived();
    if (std::ranges::none_of(wanted, is_missing)) return;
    const auto begin = Clock::now();
    thread_.wait_for_count(done + 1);
    exposed_seconds_ += seconds_since(begin);
  }
}

void MessageReducer::count_times() {
  times_.exposed += std::exchange(exposed_seconds_, 0);
  times_.active += active_seconds_.exchange(0);
}

void MessageReducer::wait_for_sums() {
  CONVOY_CHECK_EQ(posted_, units_.size());
  settle();
  count_times();
}

// Without `update_` the caller has updated its own shards itself; the new parameters still have to be sent.
void MessageReducer::finish() {
  wait_for_sums();
  if (!shards_ || update_) return;
  const auto begin = Clock::now();
  for (const Unit& unit : units_) {
    if (!unit.is_bucket()) continue;
    shards_->hand_out(unit.slice);
    shards_->take(unit.slice);
  }
  times_.exposed += seconds_since(begin);
  times_.active += seconds_since(begin);
}

void MessageReducer::leave() {
  if (shards_ && !update_) return finish();
  CONVOY_CHECK_EQ(posted_, units_.size());
  CONVOY_CHECK(update_ || taken_ == posted_);
  take_arrived();
  count_times();
}

void MessageReducer::need(const ArenaSlice& slice) {
  if (taken_ == posted_) return;
  const auto starts_after = [](std::size_t place, const Unit& unit) { return place < unit.slice.offset; };
  const auto place = [&](std::size_t offset) {
    const auto after = std::upper_bound(units_.begin(), units_.end(), offset, starts_after);
    return static_cast<std::size_t>(after - units_.begin());
  };
  wait_until_taken(place(slice.offset) - 1, place(slice.end() - 1));
}

void MessageReducer::settle() { wait_until_taken(0, posted_); }

void MessageReducer::sum_over_owners(std::span<double> own) {
  if (has_owners()) communicator_.sum(own);
}

// Unless ranks update different slices, every rank updates everything, and there is nothing to gather.
void MessageReducer::gather_to_first(std::span<float> values) {
  settle();
  if (shards_) shards_->bring_together(values.first(whole_.count));
  bring_together(communicator_, divided_, values);
}

void MessageReducer::complete_parameters() {
  settle();
  if (shards_ && shards_->rounds()) shards_->bring_together(memory_.parameters().first(whole_.count));
  bring_together(communicator_, divided_, memory_.parameters());
}

std::string MessageReducer::description() const {
  const auto buckets = std::ranges::count_if(units_, &Unit::is_bucket);
  const auto first_bucket = std::ranges::find_if(units_, &Unit::is_bucket);
  const ArenaSlice first = first_bucket == units_.end() ? ArenaSlice{} : first_bucket->slice;
  std::string name = reduction_ == Reduction::adasum ? "by adasum" : name_of(algorithm_);
  if (shards_) {
    name = "by a ring, each node updating its shard";
  } else if (algorithm_ == Algorithm::automatic && reduction_ == Reduction::mean) {
    name += ", " + name_of(communicator_.chosen_for(memory_.gradients().subspan(first.offset, first.count)));
  }
  if (compression_) {
    const std::string after = compress_after_ == 0 ? "" : fmt::format("{}, after {} steps ", name, compress_after_);
    name = fmt::format("{}compressed between nodes by {}", after, compression_->description());
  }
  std::string text = fmt::format("{}, {} bucket{} of {} KiB", name, buckets, buckets == 1 ? "" : "s",
                                 first.count * sizeof(float) >> 10U);
  for (const MadeSlice& made : made_) text += (&made == made_.data() ? "; made from factors: " : ", ") + made.name;
  for (const DividedSlice& one : divided_) text += (&one == divided_.data() ? "; divided: " : ", ") + one.name;
  return text;
}

}  // namespace convoy
