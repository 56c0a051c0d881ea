// One rank's copy of the network: its arenas, and how gradients are summed with the other ranks.
#pragma once

#include <memory>

#include "convoy/comm/communicator.h"
#include "convoy/sync/async_shards.h"
#include "convoy/sync/gradient_reducer.h"
#include "convoy/sync/local_steps.h"
#include "convoy/sync/replica_memory.h"

namespace convoy {

class Replica {
 public:
  // Collective. `communicator` must outlive it and provides the memory for the network's arenas.
  Replica(Communicator& communicator, std::size_t parameter_floats, std::size_t gradient_floats, bool with_copies,
          const ReducerOptions& options);

  // For a single rank, with arenas that belong to the caller and must outlive it.
  Replica(std::span<float> parameters, std::span<float> gradients);
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;
  ~Replica();

  [[nodiscard]] int rank() const { return communicator_->rank(); }
  [[nodiscard]] int size() const { return communicator_->size(); }
  [[nodiscard]] Communicator& communicator() { return *communicator_; }
  [[nodiscard]] ReplicaMemory& memory() { return memory_; }
  [[nodiscard]] GradientReducer& reducer() { return *reducer_; }

  // Null when gradients are summed over all ranks in every step.
  [[nodiscard]] LocalSteps* local() { return local_.get(); }

  // Null when ranks wait for each other in every step.
  [[nodiscard]] AsyncShards* async() { return async_.get(); }

 private:
  struct Alone;
  std::unique_ptr<Alone> alone_;
  Communicator* communicator_;
  ReplicaMemory memory_;
  std::unique_ptr<GradientReducer> reducer_;
  std::unique_ptr<LocalSteps> local_;
  std::unique_ptr<AsyncShards> async_;
};

}  // namespace convoy
