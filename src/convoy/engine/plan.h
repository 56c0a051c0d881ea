// A graph compiled for one batch size and number of threads: every decision is made, but no memory is allocated yet.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "convoy/engine/choices.h"
#include "convoy/engine/memory_plan.h"
#include "convoy/engine/parameter_table.h"
#include "convoy/engine/program.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/graph/graph.h"
#include "convoy/kernels/device.h"

namespace convoy {

struct CompileOptions {
  std::int64_t batch = 1;
  int threads = 1;
  bool training = true;  // false: forward only, with running statistics and without dropout
  bool exact = false;    // direct arithmetic only: no winograd
  // The precision of activations, their gradients and the weights that kernels read. Parameters, their gradients, sums
  // over a batch, logits and losses are always fp32.
  DataType precision = DataType::fp32;
  bool fuse = true;
  TuningCache* cache = nullptr;                // null: measures and keeps nothing
  const Choices* choices = nullptr;            // used instead of measuring; they must fit graph and machine
  const ParameterTable* parameters = nullptr;  // use the same places for parameters as another plan of the same graph
  // Names of parameters that training does not change: they get no gradient, and if no trained parameter comes before
  // them there is no backward pass. A batch norm is frozen as a whole and then uses its running statistics, which do
  // not change either.
  std::set<std::string> frozen;
  std::shared_ptr<const kernels::Device> device;  // null: a new one with `threads`
  std::set<std::string> kept;                     // layers whose outputs can be read after forward, as plain floats
  // Dense layers whose weights are stored row by row, those of an output together, if there are kernels for it.
  std::set<std::string> by_rows;
  bool input_gradient = false;  // backward also computes the gradient with respect to the samples
};

struct Plan {
  std::shared_ptr<const kernels::Device> device;  // first: the program's kernels refer to it
  std::int64_t batch = 0;
  bool training = true;
  bool exact = false;
  DataType precision = DataType::fp32;
  bool fuse = true;
  std::set<std::string> frozen;
  Program program;
  MemoryPlan memory;
  std::size_t scratchpad_bytes = 0;  // shared by all kernels
  ParameterTable parameters;
  Choices choices;
  BufferId input = -1;
  BufferId labels = -1;
  BufferId other_labels = -1;
  BufferId logits = -1;
  BufferId losses = -1;
  BufferId targets = -1;  // instead of labels, if the loss has float targets
  std::map<std::string, BufferId> kept;
  BufferId input_gradient = -1;

  // The memory for running it, without parameters and their gradients.
  [[nodiscard]] std::size_t working_bytes() const { return memory.bytes + scratchpad_bytes; }
};

// Makes all decisions: fusion, kernels, layouts, memory, the order of parameters. With the same choices, or the same
// cache, two compilations give the same plan. Throws UserError for a graph that is empty or, for training, does not end
// in a loss; for choices that leave out a layer or pass, or name a layer or an implementation that does not exist; for
// parameters of another graph; for layers to keep that do not exist; and for frozen parameters that do not exist or are
// half a batch norm.
[[nodiscard]] Plan compile(const Graph& graph, const CompileOptions& options);

// Options for compiling the same graph for another batch, with the same kernels and parameters; nothing is measured.
// The plan must outlive the compilation.
[[nodiscard]] CompileOptions options_like(const Plan& plan, std::int64_t batch);

}  // namespace convoy
