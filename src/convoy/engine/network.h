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
  // Compiles the graph and takes memory for parameters and work. Throws UserError when the machine has not that much.
  Network(Graph graph, const CompileOptions& options);

  // A plan of the graph made before, and parameters laid out as in it (null: memory of its own). Throws UserError when
  // the parameters are not laid out as in the plan.
  Network(Graph graph, Plan plan, std::unique_ptr<ParameterStore> parameters);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] ParameterStore& parameters() { return *parameters_; }
  [[nodiscard]] const ParameterStore& parameters() const { return *parameters_; }
  [[nodiscard]] const Plan& plan() const { return active_->plan(); }
  // Of the full batch, whatever batch is in use: a network compiled with these computes the same numbers, smaller
  // batches included.
  [[nodiscard]] const Choices& choices() const { return full_->plan().choices; }

  // Makes the following steps work on `batch` samples, at most the compiled batch, else UserError. The first use of a
  // size compiles a plan for it, with the choices of the full one; after that changing is free.
  void use_batch(std::int64_t batch);
  [[nodiscard]] std::int64_t batch() const { return plan().batch; }
  // The compiled batch: the largest there is.
  [[nodiscard]] std::int64_t full_batch() const { return full_->plan().batch; }

  // The samples of the batch, NxCxHxW, to be filled by the caller. Stays where it is until use_batch().
  [[nodiscard]] std::span<float> input() { return active_->memory<float>(plan().input); }
  // One class per sample, to be filled by the caller; all 0 at first and after a change of the batch size, so that who
  // only wants logits need not care. Empty where the graph has no loss.
  [[nodiscard]] std::span<std::int32_t> labels() { return active_->memory<std::int32_t>(plan().labels); }

  // Where the loss goes by float targets, one row for each sample in place of labels, to be filled by the caller; zeros
  // after a change of the batch size. Empty elsewhere.
  [[nodiscard]] std::span<float> targets() { return active_->memory<float>(plan().targets); }

  // For samples that are mixed of two: the second class of each, and its share. Zeros at first, as for labels.
  [[nodiscard]] std::span<OtherLabel> other_labels() { return active_->memory<OtherLabel>(plan().other_labels); }

  // Computes logits and losses of the batch. info.gradient_scale 0 stands for one over this batch. Throws UserError
  // with the sample, its label and the number of classes when a label is none of them. A profile has one entry for each
  // instruction of the plan. `before_reading` is told of each trained parameter before it is read.
  void forward(StepInfo info = {.gradient_scale = 0.0F}, Profile* profile = nullptr,
               const ParameterNeeded& before_reading = {});

  // Valid after forward, until the next one.
  [[nodiscard]] std::span<const float> logits() const { return active_->memory<const float>(plan().logits); }
  [[nodiscard]] std::span<const float> losses() const { return active_->memory<const float>(plan().losses); }
  // The mean over the batch. Throws UserError where the graph has no loss.
  [[nodiscard]] double loss() const;
  // The output of a layer that was compiled to be kept (CompileOptions::kept), NxCxHxW or rows. Throws UserError for
  // others. Valid after forward, until the next one.
  [[nodiscard]] std::span<const float> output_of(const std::string& layer) const;

  // Fills the gradient arena from the last forward, whose values it uses up: throws UserError when no forward of the
  // same batch came before, and when the network was compiled for prediction. What the arena held before is
  // overwritten, never added to: who gathers gradients over several batches sums them up elsewhere, slice by slice as
  // they become ready.
  void backward(const GradientReady& on_gradient_ready = {}, Profile* profile = nullptr);

  // The gradient of the loss by the samples, laid out as they are, where the network was compiled for it
  // (CompileOptions::input_gradient), else UserError. Valid after backward, until the next forward.
  [[nodiscard]] std::span<const float> input_gradient() const;

  // From now on backward leaves these layers' weight gradients to `factors`.
  void leave_products_to(FactorTaking factors) { factors_ = std::move(factors); }

  // Memory for activations, gradients of activations and scratch.
  [[nodiscard]] std::size_t working_bytes() const { return working_.size_bytes(); }

 private:
  Executor& executor_for(Plan plan);
  void activate(Executor& executor);
  void require_known_labels();

  Graph graph_;
  std::unique_ptr<ParameterStore> parameters_;
  AlignedBuffer working_;
  std::unique_ptr<StepInfo> step_info_;  // has an address of its own: kernels point at it
  std::map<std::int64_t, std::unique_ptr<Executor>> executors_;
  std::vector<AlignedBuffer> extra_;  // for the rare smaller plan that needs more than the full one
  Executor* full_ = nullptr;
  Executor* active_ = nullptr;
  FactorTaking factors_;
  bool can_go_backward_ = false;  // forward has left its values, and nothing has used them up
};

}  // namespace convoy
