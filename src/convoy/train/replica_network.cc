#include "convoy/train/replica_network.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convoy/train/compressible_tensors.h"
#include "convoy/train/dense_exchange.h"

namespace convoy {
namespace {

// In the order of the arena.
std::vector<ArenaSlice> trained_weights(const ParameterTable& table) {
  std::vector<ArenaSlice> weights;
  for (const int index : table.readiness) {
    const ParameterEntry& entry = table.entries[static_cast<std::size_t>(index)];
    if (table.trainable(index) && entry.parameter.role == ParameterRole::weight) weights.push_back(entry.slice);
  }
  return weights;
}

// Weights decay; biases, scales and shifts do not, unless that is asked for.
std::optional<std::vector<DecayRange>> decay_ranges(const ParameterTable& table, bool decay_all) {
  if (decay_all) return std::nullopt;
  std::vector<DecayRange> ranges;
  for (const ArenaSlice& slice : trained_weights(table)) ranges.push_back({slice.offset, slice.count});
  return ranges;
}

Network network_in(ReplicaMemory& memory, Graph graph, Plan plan) {
  auto store = std::make_unique<ParameterStore>(plan.device, plan.parameters, memory.parameters(), memory.gradients(),
                                                memory.copies());
  return {std::move(graph), std::move(plan), std::move(store)};
}

std::vector<ArenaSlice> trained_tensors(const ParameterTable& table) {
  std::vector<ArenaSlice> tensors;
  for (const int index : table.readiness) {
    if (table.trainable(index)) tensors.push_back(table.entries[static_cast<std::size_t>(index)].slice);
  }
  return tensors;
}

std::vector<ArenaSlice> read_in_bf16(const ParameterTable& table) {
  std::vector<ArenaSlice> copied;
  for (const int index : table.readiness) {
    const ParameterEntry& entry = table.entries[static_cast<std::size_t>(index)];
    if (table.trainable(index) && entry.copied) copied.push_back(entry.slice);
  }
  return copied;
}

// The compressible tensors are determined only if something will be compressed.
ReducerOptions with_tensors(ReducerOptions options, const Communicator& communicator, const Plan& plan) {
  const bool compresses = options.compression.codec != CodecKind::none && communicator.nodes().node_count() > 1;
  if (compresses) options.tensors = compressible_tensors(plan);
  if (options.reduction == Reduction::adasum) options.layers = trained_tensors(plan.parameters);
  if (options.shards) options.in_bf16 = read_in_bf16(plan.parameters);
  return options;
}

}  // namespace

Plan compile_together(Communicator& communicator, const std::function<Plan(const Choices*)>& compile_with) {
  if (communicator.rank() == 0) {
    Plan plan = compile_with(nullptr);
    (void)communicator.broadcast(choices_to_json(plan.choices));
    return plan;
  }
  const Choices choices = choices_from_json(communicator.broadcast(std::string()));
  return compile_with(&choices);
}

ReplicaNetwork::ReplicaNetwork(Communicator& communicator, Graph graph, Plan plan, const ReplicaNetworkOptions& options)
    : replica(communicator, plan.parameters.arena_floats, plan.parameters.trainable_floats,
              plan.parameters.has_copies(), with_tensors(options.reducer, communicator, plan)),
      network(network_in(replica.memory(), std::move(graph), std::move(plan))),
      optimizer(make_optimizer(options.optimizer, network.parameters().table().trainable_floats,
                               decay_ranges(network.parameters().table(), options.decay_all),
                               trained_weights(network.parameters().table()))),
      dense(std::make_unique<DenseExchange>(communicator, network.graph(), network, replica.reducer(), options.dense,
                                            options.reducer.compression, options.optimizer)) {}

ReplicaNetwork::~ReplicaNetwork() = default;

}  // namespace convoy
