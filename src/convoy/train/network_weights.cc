#include "convoy/train/network_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

#include "convoy/base/error.h"

namespace convoy {
namespace {

std::string state_name(const OptimizerState& state, const Parameter& parameter) {
  return state.name + "/" + parameter.name;
}

// Calls visit(state, index, parameter) for all states of the optimizer, which has none for frozen parameters.
template <typename Visit>
void visit_states(Optimizer& optimizer, const ParameterStore& store, Visit&& visit) {
  const ParameterTable& table = store.table();
  for (const OptimizerState& state : optimizer.state()) {
    for (int i = 0; i < static_cast<int>(table.entries.size()); ++i) {
      if (table.trainable(i)) visit(state, i, table.entries[static_cast<std::size_t>(i)].parameter);
    }
  }
}

Shape shape_of(const StatisticsEntry& entry) { return {entry.channels}; }

// Calls visit(name, shape, set) for all parameters and statistics; set(values) stores the tensor.
template <typename Visit>
void visit_tensors(ParameterStore& store, Visit&& visit) {
  const ParameterTable& table = store.table();
  for (int i = 0; i < static_cast<int>(table.entries.size()); ++i) {
    const Parameter& parameter = table.entries[static_cast<std::size_t>(i)].parameter;
    visit(parameter.name, parameter.shape,
          [&store, i](std::span<const float> values) { store.set_parameter(i, values); });
  }
  for (int i = 0; i < static_cast<int>(table.statistics.size()); ++i) {
    const StatisticsEntry& entry = table.statistics[static_cast<std::size_t>(i)];
    visit(entry.name, shape_of(entry), [&store, i](std::span<const float> values) { store.set_statistics(i, values); });
  }
}

// Refuses values that are not finite: a network with one such weight computes nothing else.
std::span<const float> finite(const std::string& name, std::span<const float> values) {
  const auto at = std::ranges::find_if_not(values, [](float value) { return std::isfinite(value); });
  if (at == values.end()) return values;
  throw DataError("the tensor '{}' holds {} at place {}, which is not a weight; take another checkpoint", name, *at,
                  at - values.begin());
}

}  // namespace

std::vector<NamedTensor> export_weights(const ParameterStore& store) {
  std::vector<NamedTensor> tensors;
  const ParameterTable& table = store.table();
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    const Parameter& parameter = table.entries[i].parameter;
    tensors.push_back({parameter.name, parameter.shape, store.plain_parameter(static_cast<int>(i))});
  }
  for (std::size_t i = 0; i < table.statistics.size(); ++i) {
    const StatisticsEntry& entry = table.statistics[i];
    tensors.push_back({entry.name, shape_of(entry), store.plain_statistics(static_cast<int>(i))});
  }
  return tensors;
}

void import_weights(std::span<const NamedTensor> tensors, ParameterStore& store) {
  visit_tensors(store, [&](const std::string& name, const Shape& shape, const auto& set) {
    set(finite(name, floats_of(tensors, name, shape)));
  });
}

WeightTransfer transfer_weights(std::span<const NamedTensor> tensors, ParameterStore& store) {
  WeightTransfer transfer;
  std::set<std::string> known;
  visit_tensors(store, [&](const std::string& name, const Shape& shape, const auto& set) {
    known.insert(name);
    const NamedTensor* const tensor = find_tensor(tensors, name);
    if (tensor == nullptr) {
      transfer.kept_fresh.push_back(name + ": not in the file");
    } else if (tensor->shape != shape || !std::holds_alternative<std::vector<float>>(tensor->values)) {
      transfer.kept_fresh.push_back(
          fmt::format("{}: {} in the file, {} here", name, tensor->shape.to_string(), shape.to_string()));
    } else {
      set(finite(name, std::get<std::vector<float>>(tensor->values)));
      ++transfer.taken;
    }
  });
  for (const NamedTensor& tensor : tensors) {
    if (!known.contains(tensor.name)) transfer.unused.push_back(tensor.name);
  }
  return transfer;
}

std::vector<NamedTensor> export_optimizer(Optimizer& optimizer, const ParameterStore& store) {
  std::vector<NamedTensor> tensors;
  visit_states(optimizer, store, [&](const OptimizerState& state, int index, const Parameter& parameter) {
    tensors.push_back({state_name(state, parameter), parameter.shape, store.plain(index, state.values)});
  });
  return tensors;
}

void import_optimizer(std::span<const NamedTensor> tensors, const ParameterStore& store, Optimizer& optimizer) {
  visit_states(optimizer, store, [&](const OptimizerState& state, int index, const Parameter& parameter) {
    store.set_plain(index, floats_of(tensors, state_name(state, parameter), parameter.shape), state.values);
  });
}

}  // namespace convoy
