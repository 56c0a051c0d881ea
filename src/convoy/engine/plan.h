// A graph compiled for one batch size and number of threads: every decision made, no memory taken yet.
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
  // Of activations, their gradients and the weights that kernels read. Parameters, their gradients, sums over a batch,
  // logits and losses are fp32 always.
  DataType precision = DataType::fp32;
  bool fuse = true;
  TuningCache* cache = nullptr;                // null: measure, and forget
  const Choices* choices = nullptr;            // use these instead of measuring; they must fit graph and machine
  const ParameterTable* parameters = nullptr;  // lay parameters out as in another plan of the same graph
  // Names of parameters that training leaves as they are: they get no gradient, and where no other lies below them
  // there is no backward pass. A batch norm is frozen whole and then works with its running statistics, which stay too.
  std::set<std::string> frozen;
  std::shared_ptr<const kernels::Device> device;  // null: a new one with `threads`
  std::set<std::string> kept;                     // layers whose outputs can be read after forward, as plain floats
  bool input_gradient = false;                    // backward gives the gradient by the samples, too
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
  BufferId targets = -1;  // in place of labels, where the loss goes by floats
  std::map<std::string, BufferId> kept;
  BufferId input_gradient = -1;

  // What running it takes, parameters and their gradients apart.
  [[nodiscard]] std::size_t working_bytes() const { return memory.bytes + scratchpad_bytes; }
};

// Decides everything once: fusion, kernels, layouts, memory, the order of parameters. With the same choices, or the
// same cache, two compilations give the same plan. Throws UserError for a graph that is empty or, for training, ends in
// no loss; for choices that leave out a layer or pass, or name a layer or an implementation that is not there; for
// parameters of another graph; for layers to keep that are not there; and for frozen parameters that are not there or
// half a batch norm.
[[nodiscard]] Plan compile(const Graph& graph, const CompileOptions& options);

// To compile the same graph for another batch, with the same kernels and parameters: nothing is measured. The plan
// outlives the compilation.
[[nodiscard]] CompileOptions options_like(const Plan& plan, std::int64_t batch);

}  // namespace convoy
