// A network as one of several copies, each on a rank of its own.
#pragma once

#include <memory>

#include "convoy/comm/communicator.h"
#include "convoy/engine/network.h"
#include "convoy/sync/replica.h"

namespace convoy {

// Collective: memory for a network of this plan, the same on all ranks, where the ranks of a node reach each other's.
[[nodiscard]] inline std::unique_ptr<Replica> make_replica(Communicator& communicator, const Plan& plan,
                                                           const ReducerOptions& options) {
  return std::make_unique<Replica>(communicator, plan.parameters.arena_floats, plan.parameters.trainable_floats,
                                   options);
}

// The network in that memory. `replica` outlives it.
[[nodiscard]] inline Network network_in(Replica& replica, Graph graph, Plan plan) {
  auto store = std::make_unique<ParameterStore>(plan.device, plan.parameters, replica.memory().parameters(),
                                                replica.memory().gradients());
  return {std::move(graph), std::move(plan), std::move(store)};
}

}  // namespace convoy
