#include "convoy/train/compressible_tensors.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"
#include "convoy/engine/parameter_store.h"

namespace convoy {
namespace {

// Only the kernels know the layouts. So the places of elements are found by putting numbers into a plain tensor and
// looking where they appear in the arena. In every layout, the place of an element is the sum of one part for its row
// and one for its column.
class Prober {
 public:
  explicit Prober(const Plan& plan) : store_(plan.device, plan.parameters) {}

  [[nodiscard]] CompressibleTensor probe(int index) {
    const ParameterEntry& entry = store_.table().entries[static_cast<std::size_t>(index)];
    const auto count = static_cast<std::size_t>(entry.parameter.shape.count());
    const auto rows = static_cast<std::size_t>(entry.parameter.shape[0]);
    const std::size_t columns = count / rows;
    std::vector<float> first_column(count);
    for (std::size_t r = 0; r < rows; ++r) first_column[r * columns] = static_cast<float>(r + 1);
    std::vector<float> first_row(count);
    for (std::size_t c = 0; c < columns; ++c) first_row[c] = static_cast<float>(c + 1);
    CompressibleTensor tensor{.name = entry.parameter.name,
                              .slice = entry.slice,
                              .rows = places_of(index, first_column, rows),
                              .columns = places_of(index, first_row, columns),
                              .padding = padding_of(index, count)};
    const std::uint32_t begin = tensor.rows[0];  // contained in both
    for (std::uint32_t& place : tensor.columns) place -= begin;
    return tensor;
  }

 private:
  // The tensor in the layout of the arena.
  [[nodiscard]] std::span<const float> laid_out(int index, const std::vector<float>& plain) {
    const ArenaSlice& slice = store_.table().entries[static_cast<std::size_t>(index)].slice;
    store_.set_parameter(index, plain);
    return store_.parameters().subspan(slice.offset, slice.count);
  }

  // The places of the numbers 1 to `count`.
  [[nodiscard]] std::vector<std::uint32_t> places_of(int index, const std::vector<float>& plain, std::size_t count) {
    std::vector<std::uint32_t> places(count);
    const std::span<const float> values = laid_out(index, plain);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) places.at(static_cast<std::size_t>(values[i]) - 1) = static_cast<std::uint32_t>(i);
    }
    return places;
  }

  [[nodiscard]] std::vector<ArenaSlice> padding_of(int index, std::size_t count) {
    std::vector<ArenaSlice> padding;
    const ArenaSlice& slice = store_.table().entries[static_cast<std::size_t>(index)].slice;
    if (slice.count == count) return padding;
    const std::span<const float> values = laid_out(index, std::vector<float>(count, 1.0F));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) continue;
      const std::size_t at = slice.offset + i;
      if (padding.empty() || padding.back().end() != at) padding.push_back({.offset = at, .count = 0});
      ++padding.back().count;
    }
    return padding;
  }

  ParameterStore store_;
};

}  // namespace

std::vector<CompressibleTensor> compressible_tensors(const Plan& plan) {
  Prober prober(plan);
  std::vector<CompressibleTensor> tensors;
  for (const int index : plan.parameters.readiness) {
    if (!plan.parameters.trainable(index)) continue;
    const Parameter& parameter = plan.parameters.entries[static_cast<std::size_t>(index)].parameter;
    if (parameter.role == ParameterRole::weight) tensors.push_back(prober.probe(index));
  }
  return tensors;
}

}  // namespace convoy
