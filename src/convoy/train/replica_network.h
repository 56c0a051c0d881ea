// A network that is trained as one of several copies, one on each rank: compiled, placed in the replica's memory and
// given its optimizer. A single rank is the ordinary case of one copy.
#pragma once

#include <functional>
#include <memory>

#include "convoy/comm/communicator.h"
#include "convoy/engine/network.h"
#include "convoy/optim/optimizer.h"
#include "convoy/sync/replica.h"
#include "convoy/train/dense_exchange_options.h"

namespace convoy {

// Collective: compiles on all ranks with the choices of the first, because gradients are exchanged in the layouts of
// the kernels. `compile_with` gets these choices, or null on the first rank, which may measure while the others wait.
[[nodiscard]] Plan compile_together(Communicator& communicator,
                                    const std::function<Plan(const Choices*)>& compile_with);

struct ReplicaNetworkOptions {
  ReducerOptions reducer;
  OptimizerOptions optimizer;
  bool decay_all = false;  // whether weight decay also applies to biases, scales and shifts
  DenseExchangeOptions dense = {};
};

class DenseExchange;

struct ReplicaNetwork {
  // Collective: takes memory that is laid out in the same way on all ranks and that the ranks of a node share. `plan`
  // must be compiled with the same choices everywhere. Weights have no values yet. `communicator` must outlive it.
  ReplicaNetwork(Communicator& communicator, Graph graph, Plan plan, const ReplicaNetworkOptions& options);
  ~ReplicaNetwork();

  Replica replica;
  Network network;
  std::unique_ptr<Optimizer> optimizer;
  std::unique_ptr<DenseExchange> dense;
};

}  // namespace convoy
