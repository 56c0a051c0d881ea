#include "convoy/sync/gradient_reducer.h"

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

std::unique_ptr<GradientReducer> make_gradient_reducer(Communicator& communicator, ReplicaMemory& memory,
                                                       const ReducerOptions& options) {
  if (communicator.size() == 1) return std::make_unique<NodeReducer>(communicator, memory, kSoloBucket);
  if (communicator.nodes().node_count() == 1 && options.algorithm == Algorithm::hierarchical) {
    return std::make_unique<NodeReducer>(communicator, memory, std::min(kNodeBucket, options.bucket_bytes));
  }
  return std::make_unique<MessageReducer>(communicator, memory, options);
}

}  // namespace convoy
