// A network ready to train: parameters, memory and compiled plans.
//
//   Network network(graph, {.batch = 32, .threads = 2});
//   network.parameters().initialise(graph, Initialiser::he_normal, seed);
//   fill network.input() and network.labels();
//   network.forward();  network.loss();
//   network.backward([&](const ArenaSlice& slice) { ... });
#pragma once

#include <map>
#include <memory>
#include <span>

#include "convoy/engine/executor.h"
#include "convoy/engine/parameter_store.h"
#include "convoy/engine/plan.h"

namespace convoy {

using kernels::StepInfo;

class Network {
 public:
  // Compiles the graph and takes memory for parameters and work. Throws UserError when the machine has not that much.
  Network(Graph graph, const CompileOptions& options);

  // A plan of the graph made before, and parameters laid out as in it.
  Network(Graph graph, Plan plan, std::unique_ptr<ParameterStore> parameters);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] ParameterStore& parameters() { return *parameters_; }
  [[nodiscard]] const ParameterStore& parameters() const { return *parameters_; }
  [[nodiscard]] const Plan& plan() const { return active_->plan(); }
  // Of the full batch, whatever batch is in use: a network compiled with these computes the same numbers, smaller
  // batches included.
  [[nodiscard]] const Choices& choices() const { return full_->plan().choices; }

  // Makes the following steps work on `batch` samples, at most the compiled batch. The first use of a size compiles a
  // plan for it, with the choices of the full one; after that changing is free.
  void use_batch(std::int64_t batch);
  [[nodiscard]] std::int64_t batch() const { return plan().batch; }

  // The samples of the batch, NxCxHxW, to be filled by the caller. Stays where it is until use_batch().
  [[nodiscard]] std::span<float> input() { return active_->memory<float>(plan().input); }
  // One class per sample; must be below the number of classes.
  [[nodiscard]] std::span<std::int32_t> labels() { return active_->memory<std::int32_t>(plan().labels); }

  // Computes logits and losses of the batch. info.gradient_scale 0 stands for one over this batch.
  void forward(StepInfo info = {.gradient_scale = 0.0F}, Profile* profile = nullptr);

  // Valid after forward, until the next one.
  [[nodiscard]] std::span<const float> logits() const { return active_->memory<const float>(plan().logits); }
  [[nodiscard]] std::span<const float> losses() const { return active_->memory<const float>(plan().losses); }
  // The mean over the batch.
  [[nodiscard]] double loss() const;

  // Fills the gradient arena from the last forward. What it held before is overwritten, never added to: who gathers
  // gradients over several batches sums them up elsewhere, slice by slice as they become ready.
  void backward(const GradientReady& on_gradient_ready = {}, Profile* profile = nullptr);

  // Memory for activations, gradients of activations and scratch.
  [[nodiscard]] std::size_t working_bytes() const { return working_.size_bytes(); }

 private:
  Executor& executor_for(Plan plan);

  Graph graph_;
  std::unique_ptr<ParameterStore> parameters_;
  AlignedBuffer working_;
  std::unique_ptr<StepInfo> step_info_;  // has an address of its own: kernels point at it
  std::map<std::int64_t, std::unique_ptr<Executor>> executors_;
  std::vector<AlignedBuffer> extra_;  // for the rare smaller plan that needs more than the full one
  Executor* full_ = nullptr;
  Executor* active_ = nullptr;
};

}  // namespace convoy
