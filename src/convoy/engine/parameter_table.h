// Where each parameter lies in the parameter arena, and its gradient at the same place of the gradient arena: in the
// order in which backward finishes them, in the layout the kernels use.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/graph/parameters.h"
#include "convoy/kernels/layout.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

// For each parameter of the graph, in its order: whether it is frozen. Throws UserError for a name that is no
// parameter's, and for a batch norm of which only the scale or only the shift is named: frozen, it works with its
// running statistics, so there is nothing in between.
[[nodiscard]] std::vector<bool> frozen_parameters(const Graph& graph, const std::set<std::string>& names);

struct ParameterEntry {
  Parameter parameter;
  kernels::Layout plain;   // row-major, dimensions as the kernel names them
  kernels::Layout layout;  // in the arena
  ArenaSlice slice;        // padding included
  bool copied = false;     // kernels read a copy in bf16, at the same place of an arena of copies
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
  std::vector<StatisticsEntry> statistics;  // mean and variance in turn, in the graph's order
  std::vector<int> readiness;               // indices of entries, in arena order
  std::size_t arena_floats = 0;
  // The front part of the arena: parameters that backward gives a gradient. Behind it lie those that are frozen or have
  // no influence on the loss.
  std::size_t trainable_floats = 0;
  std::size_t statistics_floats = 0;

  // The index of a parameter, or of running statistics, by name. Throws UserError with the nearest name when there is
  // none.
  [[nodiscard]] int find(const std::string& name) const;
  [[nodiscard]] int find_statistics(const std::string& name) const;

  // Whether any parameter is read in bf16, so that there is an arena of copies beside that of the parameters.
  [[nodiscard]] bool has_copies() const;

  // Whether backward gives the parameter a gradient.
  [[nodiscard]] bool trainable(int index) const;

  // Lays the entries out, each on a cache line of its own: those that are trainable in the order of `ready`, in which
  // backward finishes them, then the others in the graph's order.
  void arrange(const std::vector<int>& ready);
};

}  // namespace convoy
