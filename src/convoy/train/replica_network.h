// A network as one of several copies, each on a rank of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "convoy/comm/communicator.h"
#include "convoy/engine/network.h"
#include "convoy/sync/replica.h"

namespace convoy {

// Collective: compiles on all ranks with the choices of the first, because gradients are exchanged in the layout of the
// kernels. `compile_with` is given them, or null on the first, which may measure while the others wait.
[[nodiscard]] inline Plan compile_together(Communicator& communicator,
                                           const std::function<Plan(const Choices*)>& compile_with) {
  if (communicator.rank() == 0) {
    Plan plan = compile_with(nullptr);
    (void)communicator.broadcast(choices_to_json(plan.choices));
    return plan;
  }
  const Choices choices = choices_from_json(communicator.broadcast(std::string()));
  return compile_with(&choices);
}

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
