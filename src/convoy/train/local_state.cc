#include "convoy/train/local_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "convoy/comm/sums.h"

namespace convoy {
namespace {

std::string prefix_of(int group) { return fmt::format("group.{}/", group); }

// A part of a group's memory, and how its tensors are named.
struct Part {
  std::string name;  // "", "velocity/"; "statistics" is one tensor
  std::span<float> values;
  bool is_arena = true;  // laid out like the parameters
};

// Everything that may differ between groups, on this rank.
std::vector<Part> parts_of_group(const Trainer& trainer) {
  const TrainerParts& parts = trainer.parts();
  ParameterStore& store = parts.network.parameters();
  std::vector<Part> all;
  for (const OptimizerState& state : parts.optimizer.state()) all.push_back({state.name + "/", state.values});
  all.push_back({"", store.parameters().first(store.gradients().size())});
  if (!store.statistics().empty()) all.push_back({"statistics", store.statistics(), false});
  return all;
}

// Calls visit(index, parameter) for trained parameters.
template <typename Visit>
void visit_trained(const ParameterTable& table, const Visit& visit) {
  for (int i = 0; i < static_cast<int>(table.entries.size()); ++i) {
    if (table.trainable(i)) visit(i, table.entries[static_cast<std::size_t>(i)].parameter);
  }
}

void add_tensors(const std::string& prefix, const Part& part, const ParameterStore& store,
                 std::vector<NamedTensor>& tensors) {
  if (!part.is_arena) {
    tensors.push_back({prefix + part.name,
                       {static_cast<std::int64_t>(part.values.size())},
                       std::vector<float>(part.values.begin(), part.values.end())});
    return;
  }
  visit_trained(store.table(), [&](int index, const Parameter& parameter) {
    tensors.push_back({prefix + part.name + parameter.name, parameter.shape, store.plain(index, part.values)});
  });
}

// Copies the part from the tensors, if they contain it; returns whether they do.
bool read_tensors(const std::string& prefix, const Part& part, const ParameterStore& store,
                  std::span<const NamedTensor> tensors) {
  if (!part.is_arena) {
    if (find_tensor(tensors, prefix + part.name) == nullptr) return false;
    const Shape shape{static_cast<std::int64_t>(part.values.size())};
    std::ranges::copy(floats_of(tensors, prefix + part.name, shape), part.values.begin());
    return true;
  }
  bool found = false;
  visit_trained(store.table(), [&](int index, const Parameter& parameter) {
    const std::string name = prefix + part.name + parameter.name;
    if (find_tensor(tensors, name) == nullptr) return;
    store.set_plain(index, floats_of(tensors, name, parameter.shape), part.values);
    found = true;
  });
  return found;
}

// The part of each group in the checkpoint; the first group's is already in place. Empty if all groups have the same.
std::vector<std::vector<float>> read_groups(const Part& part, const ParameterStore& store,
                                            std::span<const NamedTensor> tensors) {
  std::vector<std::vector<float>> groups = {{part.values.begin(), part.values.end()}};
  for (int group = 1;; ++group) {
    std::vector<float> values(part.values.size());
    const Part own{part.name, values, part.is_arena};
    if (!read_tensors(prefix_of(group), own, store, tensors)) break;
    groups.push_back(std::move(values));
  }
  if (groups.size() == 1) groups.clear();
  return groups;
}

std::vector<std::vector<float>> shared_over_groups(std::vector<std::vector<float>> groups, std::size_t wanted) {
  if (groups.empty() || groups.size() == wanted) return groups;
  std::vector<float> mean(groups[0].size());
  for (const std::vector<float>& values : groups) add_to(mean, values);
  for (float& value : mean) value /= static_cast<float>(groups.size());
  return std::vector<std::vector<float>>(wanted, mean);
}

void share_part(const Part& part, const ParameterStore& store, std::span<const NamedTensor> tensors,
                const std::vector<std::vector<int>>& ranks_of_group, Communicator& communicator) {
  std::vector<std::vector<float>> groups;
  if (communicator.rank() == 0) groups = shared_over_groups(read_groups(part, store, tensors), ranks_of_group.size());
  if (communicator.max(static_cast<double>(groups.size())) == 0) return;
  if (communicator.rank() != 0) return communicator.transport().receive(0, part.values);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const int rank : ranks_of_group[group]) {
      if (rank != 0) communicator.transport().send(rank, std::span<const float>(groups[group]));
    }
  }
  std::ranges::copy(groups[0], part.values.begin());
}

}  // namespace

std::vector<NamedTensor> gather_groups(const Trainer& trainer) {
  Replica& replica = *trainer.parts().replica;
  LocalSteps* const local = replica.local();
  if (local == nullptr || !local->has_begun()) return {};
  const ParameterStore& store = trainer.parts().network.parameters();
  Transport& transport = replica.communicator().transport();
  const auto own = static_cast<std::size_t>(local->own_group());
  const bool is_first_of_group = local->groups()[own].front() == transport.rank();
  std::vector<NamedTensor> tensors;
  for (const Part& part : parts_of_group(trainer)) {
    const bool is_model = part.name.empty() || !part.is_arena;
    if (is_model ? !trainer.is_within_block() : local->options().reset && !trainer.is_within_block()) continue;
    if (transport.rank() != 0) {
      if (own != 0 && is_first_of_group) transport.send(0, std::span<const float>(part.values));
      continue;
    }
    std::vector<float> values(part.values.size());
    for (std::size_t group = 1; group < local->groups().size(); ++group) {
      transport.receive(local->groups()[group].front(), values);
      add_tensors(prefix_of(static_cast<int>(group)), {part.name, values, part.is_arena}, store, tensors);
    }
  }
  if (transport.rank() != 0 || local->model().empty()) return tensors;
  add_tensors("", {"block/", local->model()}, store, tensors);
  add_tensors("", {"block.change/", local->change()}, store, tensors);
  return tensors;
}

void share_groups(std::span<const NamedTensor> tensors, Trainer& trainer) {
  Replica& replica = *trainer.parts().replica;
  LocalSteps* const local = replica.local();
  Communicator& communicator = replica.communicator();
  if (local == nullptr && communicator.size() > 1) return;
  if (local != nullptr && trainer.state().step <= local->options().after) return;
  if (local != nullptr) local->begin();
  ParameterStore& store = trainer.parts().network.parameters();
  // A single rank takes the mean of all groups.
  const std::vector<std::vector<int>> groups = local != nullptr ? local->groups() : std::vector<std::vector<int>>{{0}};
  for (const Part& part : parts_of_group(trainer)) share_part(part, store, tensors, groups, communicator);
  store.renew_copies();
  if (local == nullptr) return;
  for (const Part& part : {Part{"block/", local->model()}, Part{"block.change/", local->change()}}) {
    if (communicator.rank() == 0) (void)read_tensors("", part, store, tensors);
    communicator.broadcast(std::as_writable_bytes(part.values));
  }
}

}  // namespace convoy
