#include "convoy/sync/gradient_reducer.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/sync/message_reducer.h"
#include "convoy/sync/node_reducer.h"

namespace convoy {
namespace {

// Inside a node a bucket costs a look at a counter. Its gradients should still be in the cache when they are summed.
constexpr std::size_t kNodeBucket = std::size_t{1} << 18;
// Alone, an update waits for nobody.
constexpr std::size_t kSoloBucket = std::size_t{1} << 14;

}  // namespace

void GradientReducer::note(std::size_t bucket, Clock::time_point begin) const {
  if (timeline_ != nullptr) timeline_->add(Lane::communication, fmt::format("bucket {}", bucket), begin);
}

std::unique_ptr<GradientReducer> make_gradient_reducer(Communicator& communicator, ReplicaMemory& memory,
                                                       const ReducerOptions& options) {
  ReducerOptions own = options;
  if (communicator.size() == 1) {
    own.bucket_bytes = kSoloBucket;
    return std::make_unique<NodeReducer>(communicator, memory, own);
  }
  if (communicator.nodes().node_count() == 1 && options.algorithm == Algorithm::hierarchical) {
    own.bucket_bytes = std::min(kNodeBucket, options.bucket_bytes);
    return std::make_unique<NodeReducer>(communicator, memory, own);
  }
  return std::make_unique<MessageReducer>(communicator, memory, options);
}

}  // namespace convoy
