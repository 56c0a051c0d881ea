#include "convoy/sync/gradient_reducer.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/name_index.h"
#include "convoy/sync/message_reducer.h"
#include "convoy/sync/node_reducer.h"

namespace convoy {
namespace {

// Inside a node a bucket costs only a look at a counter, so it can be small: its gradients should still be in the cache
// when they are summed.
constexpr std::size_t kNodeBucket = std::size_t{1} << 18;
// When computing threads keep all cores busy, the communication thread gets its turn late. That works for a few
// buckets, but not for many, so they are not small. On slow links they are smaller, because even few bytes take long
// and hold up what waits behind them.
constexpr std::size_t kSmallMessageBucket = std::size_t{1} << 20;
constexpr std::size_t kSmallestMessageBucket = std::size_t{1} << 16;
constexpr double kSecondsOfSmallBucket = 0.02;
// A single rank sums nothing, so buckets only decide how much is updated at a time.
constexpr std::size_t kSoloBucket = std::size_t{1} << 14;

// On one node nothing is faster than summing the gradients in place.
bool in_place(Algorithm algorithm) { return algorithm == Algorithm::hierarchical || algorithm == Algorithm::automatic; }

}  // namespace

std::size_t usual_message_bucket(const std::optional<AllReduceTable>& table, Algorithm algorithm, int nodes) {
  std::size_t least = kSmallMessageBucket;
  if (nodes > 1) {
    const auto in_time = static_cast<std::size_t>(wire_rate(table, nodes) * kSecondsOfSmallBucket);
    least = std::clamp(in_time, kSmallestMessageBucket, kSmallMessageBucket);
  }
  return std::max(least, usual_bucket(table, algorithm));
}

std::size_t usual_bucket(const std::optional<AllReduceTable>& table, Algorithm algorithm) {
  constexpr std::size_t kUnknown = std::size_t{4} << 20;
  constexpr double kNearlyAll = 0.8;
  if (!table) return kUnknown;
  const auto rate = [&](const AllReduceRow& row) {
    const Algorithm chosen = algorithm == Algorithm::automatic ? row.choose(Algorithm::hierarchical) : algorithm;
    const auto time = std::ranges::find(row.times, chosen, &AllReduceTime::algorithm);
    return time == row.times.end() ? 0.0 : static_cast<double>(row.bytes) / time->seconds;
  };
  double best = 0;
  for (const AllReduceRow& row : table->shared) best = std::max(best, rate(row));
  for (const AllReduceRow& row : table->shared) {
    if (best > 0 && rate(row) >= kNearlyAll * best) return row.bytes;
  }
  return kUnknown;
}

const std::vector<std::string>& reduction_names() {
  static const std::vector<std::string> names = {"mean", "adasum"};
  return names;
}

Reduction reduction_named(const std::string& text) {
  return static_cast<Reduction>(name_index("reduction", text, reduction_names()));
}

void GradientReducer::note(std::size_t bucket, Clock::time_point begin) const {
  if (timeline_ != nullptr) timeline_->add(Lane::communication, fmt::format("bucket {}", bucket), begin);
}

void GradientReducer::note(const char* exchange, Clock::time_point begin) const {
  if (timeline_ != nullptr) timeline_->add(Lane::communication, exchange, begin);
}

std::unique_ptr<GradientReducer> make_gradient_reducer(Communicator& communicator, ReplicaMemory& memory,
                                                       const ReducerOptions& options) {
  ReducerOptions own = options;
  const std::size_t arena_bytes = memory.gradients().size_bytes();
  if (communicator.size() == 1) {
    own.bucket_bytes = kSoloBucket;
    return std::make_unique<NodeReducer>(communicator, memory, own);
  }
  const bool sums = options.reduction == Reduction::mean;
  if (communicator.nodes().node_count() == 1 && in_place(options.algorithm) && sums) {
    if (own.bucket_bytes == 0) own.bucket_bytes = kNodeBucket;
    return std::make_unique<NodeReducer>(communicator, memory, own);
  }
  if (own.bucket_bytes == 0) {
    own.bucket_bytes = usual_message_bucket(communicator.table(), options.algorithm, communicator.nodes().node_count());
  }
  own.bucket_bytes = std::min(own.bucket_bytes, arena_bytes);
  return std::make_unique<MessageReducer>(communicator, memory, own);
}

}  // namespace convoy
