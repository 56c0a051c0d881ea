#include "convoy/engine/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/nearest.h"
#include "convoy/engine/in_place.h"
#include "convoy/engine/lowering.h"
#include "convoy/engine/memory_plan.h"
#include "convoy/graph/parameters.h"
#include "convoy/graph/training_memory.h"
#include "convoy/kernels/backend_info.h"

namespace convoy {
namespace {

// What a measurement is valid for: another processor, library or number of threads needs its own.
std::string machine_key(int threads) {
  const kernels::BackendInfo backend = kernels::backend_info();
  return fmt::format("{}, {} {} {}, {} threads", read_machine().cpu_model, backend.library, backend.version,
                     backend.isa, threads);
}

// Parameters in the order in which backward finishes them.
std::vector<int> readiness_order(const Program& program) {
  std::vector<int> order;
  for (const Instruction& instruction : program.instructions) {
    order.insert(order.end(), instruction.ready.begin(), instruction.ready.end());
  }
  return order;
}

std::size_t largest_scratchpad(const Program& program) {
  std::size_t bytes = 0;
  for (const Instruction& instruction : program.instructions) {
    bytes = std::max(bytes, instruction.prepared->bytes(kernels::Role::scratchpad));
  }
  return bytes;
}

// The least memory that a forward pass needs at once: the inputs and the output of its largest layer.
std::int64_t forward_bytes(const Graph& graph, std::int64_t batch, DataType type) {
  std::int64_t most = 0;
  for (const Layer& layer : graph.layers()) {
    std::int64_t elements = layer.shape.count();
    for (const LayerId input : layer.inputs) elements += graph.layer(input).shape.count();
    most = std::max(most, elements);
  }
  return most * batch * static_cast<std::int64_t>(size_of(type));
}

void refuse_what_is_no_network(const Graph& graph, const CompileOptions& options) {
  if (graph.size() == 0) throw UserError("the graph is empty: begin it with an input");
  const Layer& last = graph.layer(graph.output());
  if (options.training && !is_loss(last.op)) {
    throw UserError(
        "training needs a loss, and the graph ends with layer \"{}\" ({}): end it with softmax_cross_entropy or "
        "mean_squared_error, or compile it with training = false",
        last.name, last.shape.to_string());
  }
  if (options.batch < 1) throw UserError("cannot compile for a batch of {}: it must be at least 1", options.batch);
  if (options.device == nullptr && options.threads < 1) {
    throw UserError("cannot compile for {} threads: there must be at least 1", options.threads);
  }
}

void refuse_parameters_of_another_network(const Graph& graph, const ParameterTable& table) {
  const std::vector<Parameter> own = parameters_of(graph);
  for (std::size_t i = 0; i < std::max(own.size(), table.entries.size()); ++i) {
    const bool both = i < own.size() && i < table.entries.size();
    const Parameter& one = i < own.size() ? own[i] : table.entries[i].parameter;
    if (both && one.name == table.entries[i].parameter.name && one.shape == table.entries[i].parameter.shape) continue;
    throw UserError("the parameters are laid out for another network: \"{}\" ({}) differs", one.name,
                    one.shape.to_string());
  }
}

// Timing a layer takes as much memory as running it, so what cannot fit is refused before, based on the graph alone.
void refuse_what_cannot_fit(const Graph& graph, const CompileOptions& options) {
  // How much backward needs of a partly frozen network is not known before it is compiled.
  const bool keeps_all = options.training && options.frozen.empty();
  const std::int64_t needed = keeps_all ? training_memory(graph, options.batch, options.precision).total_bytes()
                                        : forward_bytes(graph, options.batch, options.precision);
  check_fits_in_memory(options.batch, static_cast<std::size_t>(needed));
}

void refuse_choices_of_another_network(const Graph& graph, const Choices& choices) {
  for (const auto& [layer, choice] : choices) {
    if (std::ranges::find(graph.layers(), layer, &Layer::name) != graph.layers().end()) continue;
    throw UserError(
        "the kernel choices name a layer \"{}\" that is not there: they were made for another network; "
        "compile without them to measure anew",
        layer);
  }
}

std::set<std::string> names_of(const std::map<std::string, BufferId>& buffers) {
  std::set<std::string> names;
  for (const auto& [name, buffer] : buffers) names.insert(name);
  return names;
}

std::set<LayerId> layers_named(const Graph& graph, const std::set<std::string>& names) {
  std::set<LayerId> layers;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(graph.layers(), name, &Layer::name);
    if (found == graph.layers().end()) {
      std::vector<std::string> known;
      for (const Layer& layer : graph.layers()) known.push_back(layer.name);
      const auto nearest = nearest_name(name, known);
      throw UserError("there is no layer \"{}\" to keep{}", name,
                      nearest ? "; did you mean \"" + *nearest + "\"?" : "");
    }
    if (is_loss(found->op)) throw UserError("layer \"{}\" is a loss: losses() has it", name);
    layers.insert(static_cast<LayerId>(found - graph.layers().begin()));
  }
  return layers;
}

}  // namespace

CompileOptions options_like(const Plan& plan, std::int64_t batch) {
  return {.batch = batch,
          .training = plan.training,
          .exact = plan.exact,
          .precision = plan.precision,
          .fuse = plan.fuse,
          .choices = &plan.choices,
          .parameters = &plan.parameters,
          .frozen = plan.frozen,
          .device = plan.device,
          .kept = names_of(plan.kept),
          .input_gradient = plan.input_gradient >= 0};
}

Plan compile(const Graph& graph, const CompileOptions& options) {
  refuse_what_is_no_network(graph, options);
  if (options.parameters != nullptr) refuse_parameters_of_another_network(graph, *options.parameters);
  if (options.choices == nullptr) {
    refuse_what_cannot_fit(graph, options);
  } else {
    refuse_choices_of_another_network(graph, *options.choices);
  }
  Plan plan{.device = options.device,
            .batch = options.batch,
            .training = options.training,
            .exact = options.exact,
            .precision = options.precision,
            .fuse = options.fuse,
            .frozen = options.frozen};
  if (plan.device == nullptr) plan.device = std::make_shared<const kernels::Device>(options.threads);
  plan.device->use();
  TuningCache forgetful;
  TuningCache& cache = options.cache == nullptr ? forgetful : *options.cache;
  Tuner tuner(*plan.device, cache, machine_key(plan.device->threads()));
  Lowering lowering(graph, *plan.device, tuner,
                    {.batch = options.batch,
                     .type = options.precision,
                     .training = options.training,
                     .fuse = options.fuse,
                     .arithmetic = options.exact ? kernels::Arithmetic::direct_only : kernels::Arithmetic::any,
                     .choices = options.choices,
                     .parameters = options.parameters,
                     .frozen = options.frozen,
                     .kept = layers_named(graph, options.kept),
                     .by_rows = options.by_rows,
                     .input_gradient = options.input_gradient});
  Lowered lowered = lowering.run();
  tuner.note_disturbance();
  cache.save();
  plan.program = std::move(lowered.program);
  share_in_place(plan.program);
  plan.memory = plan_memory(plan.program.buffers, lifetimes_of(plan.program));
  plan.scratchpad_bytes = largest_scratchpad(plan.program);
  if (options.parameters != nullptr) {
    plan.parameters = *options.parameters;
  } else {
    plan.parameters = std::move(lowered.parameters);
    plan.parameters.arrange(readiness_order(plan.program));
  }
  plan.choices = std::move(lowered.choices);
  plan.input = lowered.input;
  plan.labels = lowered.labels;
  plan.other_labels = lowered.other_labels;
  plan.logits = lowered.logits;
  plan.losses = lowered.losses;
  plan.targets = lowered.targets;
  for (const auto& [layer, buffer] : lowered.kept) plan.kept[graph.layer(layer).name] = buffer;
  plan.input_gradient = lowered.input_gradient;
  return plan;
}

}  // namespace convoy
