#include "convoy/engine/parameter_store.h"

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/kernels/reorder.h"

namespace convoy {
namespace {

using kernels::Layout;
using kernels::Role;

// Copies between layouts once; too slow for use inside a step.
void copy(const kernels::Device& device, const Layout& from, const float* source, const Layout& to, float* target) {
  const auto reorder = kernels::prepare_reorder(device, from, to);
  AlignedBuffer scratchpad(reorder->bytes(Role::scratchpad));
  kernels::Bindings memory;
  memory.set(Role::source, const_cast<float*>(source));  // NOLINT: bindings are for inputs and outputs alike
  memory.set(Role::destination, target);
  memory.set(Role::scratchpad, scratchpad.data());
  reorder->bind(memory)->run();
}

void require_arena(const char* what, std::size_t given, std::size_t needed) {
  if (given == needed) return;
  throw UserError("the arena of {} has {} elements, the network needs {}", what, given, needed);
}

std::size_t copied_elements(const ParameterTable& table) { return table.has_copies() ? table.arena_floats : 0; }

void copy_to_bfloat16(std::span<const float> from, std::span<BFloat16> to) {
  std::ranges::transform(from, to.begin(), to_bfloat16);
}

void require_values(const std::string& name, const Shape& shape, std::size_t given) {
  if (static_cast<std::int64_t>(given) == shape.count()) return;
  throw UserError("\"{}\" is {}: {} values, got {}", name, shape.to_string(), shape.count(), given);
}

void require_inside(const ParameterEntry& entry, std::size_t arena_floats) {
  if (entry.slice.end() <= arena_floats) return;
  throw UserError("\"{}\" ({}) lies behind the {} floats of this arena", entry.parameter.name,
                  entry.parameter.shape.to_string(), arena_floats);
}

void require_same_parameters(const ParameterTable& table, const Graph& graph) {
  const std::vector<Parameter> own = parameters_of(graph);
  bool same = own.size() == table.entries.size();
  for (std::size_t i = 0; same && i < own.size(); ++i) {
    const Parameter& parameter = table.entries[i].parameter;
    same = own[i].name == parameter.name && own[i].layer == parameter.layer && own[i].shape == parameter.shape;
  }
  if (!same) throw UserError("these parameters belong to another graph; initialise them with the one compiled");
}

}  // namespace

ParameterStore::ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table)
    : device_(std::move(device)),
      table_(std::move(table)),
      owned_parameters_(table_.arena_floats * sizeof(float)),
      owned_gradients_(table_.trainable_floats * sizeof(float)),
      owned_copies_(copied_elements(table_) * sizeof(BFloat16)),
      statistics_(table_.statistics_floats * sizeof(float)),
      parameters_(owned_parameters_.floats()),
      gradients_(owned_gradients_.floats()),
      copies_(reinterpret_cast<BFloat16*>(owned_copies_.data()), copied_elements(table_)) {}

ParameterStore::ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table,
                               std::span<float> parameters, std::span<float> gradients, std::span<BFloat16> copies)
    : device_(std::move(device)),
      table_(std::move(table)),
      statistics_(table_.statistics_floats * sizeof(float)),
      parameters_(parameters),
      gradients_(gradients),
      copies_(copies) {
  require_arena("parameters", parameters.size(), table_.arena_floats);
  require_arena("gradients", gradients.size(), table_.trainable_floats);
  require_arena("copies in bf16", copies.size(), copied_elements(table_));
}

const ParameterEntry& ParameterStore::entry(int index) const {
  if (index >= 0 && static_cast<std::size_t>(index) < table_.entries.size()) {
    return table_.entries[static_cast<std::size_t>(index)];
  }
  throw UserError("there is no parameter {}: the network has {}", index, table_.entries.size());
}

const StatisticsEntry& ParameterStore::statistics_entry(int index) const {
  if (index >= 0 && static_cast<std::size_t>(index) < table_.statistics.size()) {
    return table_.statistics[static_cast<std::size_t>(index)];
  }
  throw UserError("there are no running statistics {}: the network has {}", index, table_.statistics.size());
}

void ParameterStore::initialise(const Graph& graph, Initialiser kind, std::uint64_t seed) {
  require_same_parameters(table_, graph);
  for (std::size_t i = 0; i < table_.entries.size(); ++i) {
    const Parameter& parameter = table_.entries[i].parameter;
    std::vector<float> plain(static_cast<std::size_t>(parameter.shape.count()));
    convoy::initialise(parameter, graph, kind, seed, plain);
    set_parameter(static_cast<int>(i), plain);
  }
  for (std::size_t i = 0; i < table_.statistics.size(); ++i) {
    const bool is_variance = i % 2 == 1;
    const auto channels = static_cast<std::size_t>(table_.statistics[i].channels);
    set_statistics(static_cast<int>(i), std::vector<float>(channels, is_variance ? 1.0F : 0.0F));
  }
}

void ParameterStore::renew_copies() {
  if (!copies_.empty()) copy_to_bfloat16(parameters_, copies_);
}

void ParameterStore::set_parameter(int index, std::span<const float> plain) {
  set_plain(index, plain, parameters_);
  const ArenaSlice& slice = entry(index).slice;
  if (!copies_.empty()) copy_to_bfloat16(parameters_.subspan(slice.offset, slice.count), copies(slice));
}

std::vector<float> ParameterStore::plain_gradient(int index) const {
  if (entry(index).slice.offset >= table_.trainable_floats) {
    throw UserError("\"{}\" has no gradient: it is frozen, or the loss does not depend on it",
                    entry(index).parameter.name);
  }
  return plain(index, gradients_);
}

std::vector<float> ParameterStore::plain(int index, std::span<const float> arena) const {
  const ParameterEntry& from = entry(index);
  require_inside(from, arena.size());
  std::vector<float> plain(static_cast<std::size_t>(from.parameter.shape.count()));
  copy(*device_, from.layout, arena.data() + from.slice.offset, from.plain, plain.data());
  return plain;
}

void ParameterStore::set_plain(int index, std::span<const float> plain, std::span<float> arena) const {
  const ParameterEntry& to = entry(index);
  require_values(to.parameter.name, to.parameter.shape, plain.size());
  require_inside(to, arena.size());
  copy(*device_, to.plain, plain.data(), to.layout, arena.data() + to.slice.offset);
}

std::vector<float> ParameterStore::plain_statistics(int index) const {
  const StatisticsEntry& from = statistics_entry(index);
  const float* begin = statistics_.floats().data() + from.slice.offset;
  return {begin, begin + from.channels};
}

void ParameterStore::set_statistics(int index, std::span<const float> plain) {
  const StatisticsEntry& to = statistics_entry(index);
  require_values(to.name, {to.channels}, plain.size());
  std::copy(plain.begin(), plain.end(), statistics_.floats().begin() + static_cast<std::ptrdiff_t>(to.slice.offset));
}

}  // namespace convoy
