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
#include <string>

#include "convoy/engine/executor.h"
#include "convoy/engine/parameter_store.h"
#include "convoy/engine/plan.h"
#include "convoy/kernels/loss.h"

namespace convoy {

using kernels::OtherLabel;
using kernels::StepInfo;

class Network {
 public:
  // Compiles the graph and allocates memory for parameters and work. Throws UserError when the machine has not enough.
  Network(Graph graph, const CompileOptions& options);

  // Uses a plan of the graph that was made before, and parameters that are laid out for it (null: allocates them).
  // Throws UserError when the parameters are not laid out as in the plan.
  Network(Graph graph, Plan plan, std::unique_ptr<ParameterStore> parameters);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] ParameterStore& parameters() { return *parameters_; }
  [[nodiscard]] const ParameterStore& parameters() const { return *parameters_; }
  [[nodiscard]] const Plan& plan() const { return active_->plan(); }
  // The choices for the full batch, whatever batch is in use: a network compiled with these computes the same numbers,
  // also for smaller batches.
  [[nodiscard]] const Choices& choices() const { return full_->plan().choices; }

  // Makes the following steps work on `batch` samples, at most the compiled batch; otherwise throws UserError. The
  // first use of a size compiles a plan for it, with the choices of the full one; after that, changing the size costs
  // nothing.
  void use_batch(std::int64_t batch);
  [[nodiscard]] std::int64_t batch() const { return plan().batch; }
  // The compiled batch, which is the largest possible.
  [[nodiscard]] std::int64_t full_batch() const { return full_->plan().batch; }

  // The samples of the batch, NxCxHxW, which the caller fills in. Stays valid until use_batch().
  [[nodiscard]] std::span<float> input() { return active_->memory<float>(plan().input); }
  // One class per sample, which the caller fills in. All are 0 at first and after a change of the batch size, so that
  // callers who only want logits can ignore them. Empty if the graph has no loss.
  [[nodiscard]] std::span<std::int32_t> labels() { return active_->memory<std::int32_t>(plan().labels); }

  // If the loss has float targets: one row per sample instead of labels, which the caller fills in; zeros after a
  // change of the batch size. Otherwise empty.
  [[nodiscard]] std::span<float> targets() { return active_->memory<float>(plan().targets); }

  // For samples that are mixed from two: the second class of each, and its share. Zeros at first, like labels.
  [[nodiscard]] std::span<OtherLabel> other_labels() { return active_->memory<OtherLabel>(plan().other_labels); }

  // Computes logits and losses of the batch. info.gradient_scale 0 stands for one divided by this batch. Throws
  // UserError with the sample, its label and the number of classes when a label is not a class. A profile has one entry
  // for each instruction of the plan. `before_reading` is called for each trained parameter before it is read.
  void forward(StepInfo info = {.gradient_scale = 0.0F}, Profile* profile = nullptr,
               const ParameterNeeded& before_reading = {});

  // Valid after forward, until the next one.
  [[nodiscard]] std::span<const float> logits() const { return active_->memory<const float>(plan().logits); }
  [[nodiscard]] std::span<const float> losses() const { return active_->memory<const float>(plan().losses); }
  // The mean over the batch. Throws UserError if the graph has no loss.
  [[nodiscard]] double loss() const;
  // The output of a layer that was compiled to be kept (CompileOptions::kept), NxCxHxW or rows. Throws UserError for
  // others. Valid after forward, until the next one.
  [[nodiscard]] std::span<const float> output_of(const std::string& layer) const;

  // Computes the gradient arena from the last forward, whose values it uses up. Throws UserError when no forward of the
  // same batch came before, and when the network was compiled for prediction. The arena is overwritten, never added to:
  // to sum gradients over several batches, the caller adds them elsewhere, slice by slice as they become ready.
  void backward(const GradientReady& on_gradient_ready = {}, Profile* profile = nullptr);

  // The gradient of the loss with respect to the samples, in their layout, if the network was compiled for it
  // (CompileOptions::input_gradient); otherwise throws UserError. Valid after backward, until the next forward.
  [[nodiscard]] std::span<const float> input_gradient() const;

  // From now on backward does not compute these layers' weight gradients but passes their factors to `factors`.
  void leave_products_to(FactorTaking factors) { factors_ = std::move(factors); }

  // From now on forward and backward leave all passes of these layers to `elsewhere`.
  void leave_layers_to(LayerTaking elsewhere) { elsewhere_ = std::move(elsewhere); }
  // Whether there are such layers.
  [[nodiscard]] bool leaves_layers() const { return !elsewhere_.layers.empty(); }

  // Memory for activations, gradients of activations and scratch.
  [[nodiscard]] std::size_t working_bytes() const { return working_.size_bytes(); }

 private:
  Executor& executor_for(Plan plan);
  void activate(Executor& executor);
  void require_known_labels();

  Graph graph_;
  std::unique_ptr<ParameterStore> parameters_;
  AlignedBuffer working_;
  std::unique_ptr<StepInfo> step_info_;  // on the heap, because kernels point to it
  std::map<std::int64_t, std::unique_ptr<Executor>> executors_;
  std::vector<AlignedBuffer> extra_;  // for the rare smaller plan that needs more memory than the full one
  Executor* full_ = nullptr;
  Executor* active_ = nullptr;
  FactorTaking factors_;
  LayerTaking elsewhere_;
  bool can_go_backward_ = false;  // forward has left its values, and they are not used up yet
};

}  // namespace convoy
