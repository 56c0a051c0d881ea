// Where each parameter is in the parameter arena, and its gradient at the same place of the gradient arena: in the
// order in which backward finishes them, in the layout that the kernels use.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/graph/parameters.h"
#include "convoy/kernels/layout.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

// For each parameter of the graph, in order, whether it is frozen. Throws UserError for a name that is not a
// parameter's, and for a batch norm of which only the scale or only the shift is named: a frozen batch norm uses its
// running statistics, so it cannot be half frozen.
[[nodiscard]] std::vector<bool> frozen_parameters(const Graph& graph, const std::set<std::string>& names);

struct ParameterEntry {
  Parameter parameter;
  kernels::Layout plain;   // row-major, with the dimensions of the kernel
  kernels::Layout layout;  // in the arena
  ArenaSlice slice;        // including padding
  bool copied = false;     // kernels read a bf16 copy, at the same place in an arena of copies
};

// Running mean and variance of one batch norm: arrays of whole channel blocks in the statistics arena.
struct StatisticsEntry {
  std::string name;  // "bn1.running_mean"
  LayerId layer;
  std::int64_t channels = 0;
  ArenaSlice slice;
};

struct ParameterTable {
  std::vector<ParameterEntry> entries;      // in the graph's order
  std::vector<StatisticsEntry> statistics;  // mean and variance alternate, in the graph's order
  std::vector<int> readiness;               // indices of entries, in arena order
  std::size_t arena_floats = 0;
  // The front part of the arena: parameters for which backward computes a gradient. After it come those that are frozen
  // or have no influence on the loss.
  std::size_t trainable_floats = 0;
  std::size_t statistics_floats = 0;

  // The index of a parameter, or of running statistics, by name. Throws UserError that suggests the nearest name if
  // there is none.
  [[nodiscard]] int find(const std::string& name) const;
  [[nodiscard]] int find_statistics(const std::string& name) const;

  // Whether any parameter is read in bf16, so that there is an arena of copies.
  [[nodiscard]] bool has_copies() const;

  // Whether backward computes a gradient for the parameter.
  [[nodiscard]] bool trainable(int index) const;

  // Assigns places to the entries, each beginning at a cache line: first the trainable ones in the order of `ready`, in
  // which backward finishes them, then the others in the graph's order.
  void arrange(const std::vector<int>& ready);
};

}  // namespace convoy
