#include "convoy/train/compression_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "convoy/comm/sums.h"

namespace convoy {
namespace {

std::string error_name(int node, const std::string& parameter) { return fmt::format("error.{}/{}", node, parameter); }
std::string factor_name(const std::string& parameter) { return "factor/" + parameter; }

Shape shape_of(const CompressionState& state) { return {state.rows, state.columns}; }

// Calls visit(index, parameter) for parameters that may be compressed.
template <typename Visit>
void visit_weights(const ParameterTable& table, const Visit& visit) {
  for (int i = 0; i < static_cast<int>(table.entries.size()); ++i) {
    const Parameter& parameter = table.entries[static_cast<std::size_t>(i)].parameter;
    if (table.trainable(i) && parameter.role == ParameterRole::weight) visit(i, parameter);
  }
}

// What a node has not sent yet; no value if the tensors do not contain it.
std::optional<std::vector<float>> error_of(int node, std::span<const NamedTensor> tensors, const ParameterStore& store,
                                           std::size_t floats) {
  std::optional<std::vector<float>> error;
  visit_weights(store.table(), [&](int index, const Parameter& parameter) {
    const std::string name = error_name(node, parameter.name);
    if (find_tensor(tensors, name) == nullptr) return;
    if (!error) error.emplace(floats);
    store.set_plain(index, floats_of(tensors, name, parameter.shape), *error);
  });
  return error;
}

// The errors for `nodes` nodes; empty if the tensors contain none.
std::vector<std::vector<float>> shared_out(std::span<const NamedTensor> tensors, const ParameterStore& store,
                                           std::size_t floats, int nodes) {
  std::vector<std::vector<float>> errors;
  while (auto error = error_of(static_cast<int>(errors.size()), tensors, store, floats)) {
    errors.push_back(std::move(*error));
  }
  if (errors.empty() || static_cast<int>(errors.size()) == nodes) return errors;
  std::vector<float> total(floats);
  for (const std::vector<float>& error : errors) add_to(total, error);
  for (float& value : total) value /= static_cast<float>(nodes);
  return std::vector<std::vector<float>>(static_cast<std::size_t>(nodes), total);
}

void share_errors(std::span<const NamedTensor> tensors, const ParameterStore& store, Communicator& communicator,
                  std::span<float> own) {
  const NodeMap& nodes = communicator.nodes();
  if (communicator.rank() == 0) {
    auto errors = shared_out(tensors, store, own.size(), nodes.node_count());
    errors.resize(static_cast<std::size_t>(nodes.node_count()), std::vector<float>(own.size()));
    std::ranges::copy(errors[0], own.begin());
    for (int node = 1; node < nodes.node_count(); ++node) {
      communicator.transport().send(nodes.leader_of(node), errors[static_cast<std::size_t>(node)]);
    }
  } else if (nodes.local_rank_of(communicator.rank()) == 0) {
    communicator.transport().receive(0, own);
  }
}

}  // namespace

std::vector<NamedTensor> gather_compression(const Trainer& trainer) {
  Replica& replica = *trainer.parts().replica;
  Compression* const compression = replica.reducer().compression();
  if (compression == nullptr) return {};
  const ParameterStore& store = trainer.parts().network.parameters();
  const NodeMap& nodes = replica.communicator().nodes();
  Transport& transport = replica.communicator().transport();
  const std::span<float> own = compression->error();
  if (transport.rank() != 0) {
    if (!own.empty() && nodes.local_rank_of(transport.rank()) == 0) transport.send(0, std::span<const float>(own));
    return {};
  }
  std::vector<NamedTensor> tensors;
  for (const CompressionState& state : compression->state()) {
    tensors.push_back(
        {factor_name(state.name), shape_of(state), std::vector<float>(state.values.begin(), state.values.end())});
  }
  if (own.empty()) return tensors;
  std::vector<float> error(own.begin(), own.end());
  for (int node = 0; node < nodes.node_count(); ++node) {
    if (node > 0) transport.receive(nodes.leader_of(node), error);
    visit_weights(store.table(), [&](int index, const Parameter& parameter) {
      tensors.push_back({error_name(node, parameter.name), parameter.shape, store.plain(index, error)});
    });
  }
  return tensors;
}

void share_compression(std::span<const NamedTensor> tensors, Trainer& trainer) {
  Replica& replica = *trainer.parts().replica;
  Compression* const compression = replica.reducer().compression();
  if (compression == nullptr) return;
  Communicator& communicator = replica.communicator();
  if (!compression->error().empty()) {
    share_errors(tensors, trainer.parts().network.parameters(), communicator, compression->error());
  }
  for (const CompressionState& state : compression->state()) {
    const std::string name = factor_name(state.name);
    if (communicator.rank() == 0 && find_tensor(tensors, name) != nullptr) {
      std::ranges::copy(floats_of(tensors, name, shape_of(state)), state.values.begin());
    }
    communicator.broadcast(std::as_writable_bytes(state.values));
  }
}

}  // namespace convoy
