#include "convoy/engine/parameter_store.h"

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/kernels/reorder.h"

namespace convoy {
namespace {

using kernels::Layout;
using kernels::Role;

// Copies between layouts once; not for use inside a step.
void copy(const kernels::Device& device, const Layout& from, const float* source, const Layout& to, float* target) {
  const auto reorder = kernels::prepare_reorder(device, from, to);
  AlignedBuffer scratchpad(reorder->bytes(Role::scratchpad));
  kernels::Bindings memory;
  memory.set(Role::source, const_cast<float*>(source));  // NOLINT: bindings are for inputs and outputs alike
  memory.set(Role::destination, target);
  memory.set(Role::scratchpad, scratchpad.data());
  reorder->bind(memory)->run();
}

}  // namespace

ParameterStore::ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table)
    : device_(std::move(device)),
      table_(std::move(table)),
      owned_parameters_(table_.arena_floats * sizeof(float)),
      owned_gradients_(table_.trainable_floats * sizeof(float)),
      statistics_(table_.statistics_floats * sizeof(float)),
      parameters_(owned_parameters_.floats()),
      gradients_(owned_gradients_.floats()) {}

ParameterStore::ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table,
                               std::span<float> parameters, std::span<float> gradients)
    : device_(std::move(device)),
      table_(std::move(table)),
      statistics_(table_.statistics_floats * sizeof(float)),
      parameters_(parameters),
      gradients_(gradients) {
  CONVOY_CHECK_EQ(parameters.size(), table_.arena_floats);
  CONVOY_CHECK_EQ(gradients.size(), table_.trainable_floats);
}

void ParameterStore::initialise(const Graph& graph, Initialiser kind, std::uint64_t seed) {
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

std::vector<float> ParameterStore::plain(int index, std::span<const float> arena) const {
  const ParameterEntry& entry = table_.entries[static_cast<std::size_t>(index)];
  CONVOY_CHECK_LE(entry.slice.offset + entry.slice.count, arena.size());
  std::vector<float> plain(static_cast<std::size_t>(entry.parameter.shape.count()));
  copy(*device_, entry.layout, arena.data() + entry.slice.offset, entry.plain, plain.data());
  return plain;
}

void ParameterStore::set_plain(int index, std::span<const float> plain, std::span<float> arena) const {
  const ParameterEntry& entry = table_.entries[static_cast<std::size_t>(index)];
  CONVOY_CHECK_EQ(static_cast<std::int64_t>(plain.size()), entry.parameter.shape.count());
  CONVOY_CHECK_LE(entry.slice.offset + entry.slice.count, arena.size());
  copy(*device_, entry.plain, plain.data(), entry.layout, arena.data() + entry.slice.offset);
}

std::vector<float> ParameterStore::plain_statistics(int index) const {
  const StatisticsEntry& entry = table_.statistics[static_cast<std::size_t>(index)];
  const float* begin = statistics_.floats().data() + entry.slice.offset;
  return {begin, begin + entry.channels};
}

void ParameterStore::set_statistics(int index, std::span<const float> plain) {
  const StatisticsEntry& entry = table_.statistics[static_cast<std::size_t>(index)];
  CONVOY_CHECK_EQ(static_cast<std::int64_t>(plain.size()), entry.channels);
  std::copy(plain.begin(), plain.end(), statistics_.floats().begin() + static_cast<std::ptrdiff_t>(entry.slice.offset));
}

}  // namespace convoy
