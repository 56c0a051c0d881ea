// Where each parameter lies in the parameter arena, and its gradient at the same place of the gradient arena: in the
// order in which backward finishes them, in the layout the kernels use.
#pragma once

#include <string>
#include <vector>

#include "convoy/graph/parameters.h"
#include "convoy/kernels/layout.h"

namespace convoy {

// A contiguous piece of an arena, in floats.
struct ArenaSlice {
  std::size_t offset = 0;
  std::size_t count = 0;
};

struct ParameterEntry {
  Parameter parameter;
  kernels::Layout plain;   // row-major, dimensions as the kernel names them
  kernels::Layout layout;  // in the arena
  ArenaSlice slice;        // padding included
};

// Running mean and variance of one batch norm: arrays of whole channel blocks in the statistics arena.
struct StatisticsEntry {
  std::string name;  // "bn1.running_mean"
  NodeId node;
  std::int64_t channels = 0;
  ArenaSlice slice;
};

struct ParameterTable {
  std::vector<ParameterEntry> entries;      // in the graph's order
  std::vector<StatisticsEntry> statistics;  // mean and variance in turn, in the graph's order
  std::vector<int> readiness;               // indices of entries, in arena order
  std::size_t arena_floats = 0;
  std::size_t statistics_floats = 0;

  // The index of a parameter by name; throws InternalError when there is none.
  [[nodiscard]] int find(const std::string& name) const;

  // Lays the entries out in `order`, each on a cache line of its own.
  void arrange(std::vector<int> order);
};

}  // namespace convoy
