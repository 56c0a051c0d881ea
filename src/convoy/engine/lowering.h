// Turns the units of a graph into the instructions of a program: forward in order, backward in reverse. All values
// between layers are in the blocked layout and of the plan's type; samples arrive plain, rows (logits, dense layers)
// stay plain, and samples, logits and losses are floats.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "convoy/engine/choices.h"
#include "convoy/engine/fusion.h"
#include "convoy/engine/parameter_table.h"
#include "convoy/engine/problems.h"
#include "convoy/engine/program.h"
#include "convoy/engine/tuner.h"
#include "convoy/graph/graph.h"
#include "convoy/kernels/device.h"
#include "convoy/kernels/smooth_activation.h"

namespace convoy {

struct LoweringOptions {
  std::int64_t batch = 1;
  DataType type = DataType::fp32;
  bool training = true;
  bool fuse = true;
  kernels::Arithmetic arithmetic = kernels::Arithmetic::any;
  const Choices* choices = nullptr;            // use these instead of measuring
  const ParameterTable* parameters = nullptr;  // use the same places for parameters as there
  std::set<std::string> frozen;                // names of parameters that get no gradient
  std::set<LayerId> kept;                      // layers whose outputs are kept, as plain floats
  std::set<std::string> by_rows;               // dense layers whose weights are stored row by row, if possible
  bool input_gradient = false;
};

struct Lowered {
  Program program;
  ParameterTable parameters;
  Choices choices;
  BufferId input = -1;
  BufferId labels = -1;  // -1 if the graph has no loss
  BufferId other_labels = -1;
  BufferId logits = -1;  // what the loss reads, or the graph's output
  BufferId losses = -1;  // one per sample
  BufferId targets = -1;
  std::map<LayerId, BufferId> kept;
  BufferId input_gradient = -1;
};

class Lowering {
 public:
  Lowering(const Graph& graph, const kernels::Device& device, Tuner& tuner, const LoweringOptions& options);

  [[nodiscard]] Lowered run();

 private:
  // Where and how a value is stored.
  struct Stored {
    BufferId buffer = -1;
    kernels::Layout layout;
  };

  // Builds one instruction, operand by operand; emit() appends it to the program.
  class Line {
   public:
    Line(Lowering& lowering, const Unit& unit, Phase phase, kernels::PreparedPtr prepared);
    Line& buffer(kernels::Role role, BufferId id);
    Line& parameter(kernels::Role role, int index);
    // The parameter as its kernels read it: itself, or its copy in bf16.
    Line& weights(int index);
    Line& gradient(kernels::Role role, int index);
    Line& statistics(kernels::Role role, int index);
    Line& step_info();
    Line& in_place(kernels::Role output, kernels::Role input);
    Line& flops(double count);
    void emit();

   private:
    Lowering& lowering_;
    Instruction instruction_;
  };

  [[nodiscard]] Line line(const Unit& unit, Phase phase, kernels::PreparedPtr prepared) {
    return {*this, unit, phase, std::move(prepared)};
  }

  // lowering.cc: bookkeeping.
  void list_parameters();
  void keep(const Unit& unit);
  void find_trainable_values();
  BufferId new_buffer(std::string name, std::size_t bytes, bool persistent = false);
  BufferId define(const Unit& unit, const kernels::Layout& layout);
  [[nodiscard]] const Stored& value(LayerId id) const { return values_.at(id); }
  [[nodiscard]] Stored converted(const Unit& unit, LayerId id, const kernels::Layout& layout);
  [[nodiscard]] Stored typed(const Unit& unit, LayerId id);
  [[nodiscard]] Stored image(const Unit& unit, LayerId id);
  [[nodiscard]] Stored row(const Unit& unit, LayerId id);
  [[nodiscard]] BatchForm form() const { return {.batch = options_.batch, .type = options_.type}; }
  [[nodiscard]] bool is_logits(LayerId id) const;
  [[nodiscard]] int parameter_index(LayerId layer, ParameterRole role) const;
  void set_layout(int parameter, const kernels::Layout::Dims& dims, const kernels::Layout& layout);
  [[nodiscard]] int statistics_index(LayerId layer) const;
  [[nodiscard]] const std::string& name(const Unit& unit) const { return graph_.layer(unit.output).name; }
  // Whether the parameter gets a gradient (if it has any influence). False for -1, which means no parameter.
  [[nodiscard]] bool learns(int parameter) const {
    return options_.training && parameter >= 0 && !frozen_[static_cast<std::size_t>(parameter)];
  }
  [[nodiscard]] bool learns(LayerId layer, ParameterRole role) const { return learns(parameter_index(layer, role)); }
  [[nodiscard]] bool trainable(LayerId value) const { return trainable_[static_cast<std::size_t>(value)]; }
  [[nodiscard]] BufferId keep_workspace(const Unit& unit, const kernels::Prepared& prepared);

  // lowering_forward.cc: one function for each operator.
  void forward(const op::Input& op, const Unit& unit);
  void forward(const op::Convolution& op, const Unit& unit);
  void forward(const op::Dense& op, const Unit& unit);
  void forward(const op::BatchNorm& op, const Unit& unit);
  void forward(const op::GroupNorm&, const Unit& unit) { forward_sample_norm(unit); }
  void forward(const op::LayerNorm&, const Unit& unit) { forward_sample_norm(unit); }
  void forward(const op::Relu&, const Unit& unit) { forward_activation(unit); }
  void forward(const op::Relu6&, const Unit& unit) { forward_activation(unit); }
  void forward(const op::Sigmoid&, const Unit& unit) { forward_smooth(unit, kernels::SmoothActivation::sigmoid); }
  void forward(const op::Tanh&, const Unit& unit) { forward_smooth(unit, kernels::SmoothActivation::tanh); }
  void forward(const op::Softmax& op, const Unit& unit);
  void forward(const op::MaxPool&, const Unit& unit) { forward_pooling(unit); }
  void forward(const op::AveragePool&, const Unit& unit) { forward_pooling(unit); }
  void forward(const op::GlobalAveragePool&, const Unit& unit) { forward_pooling(unit); }
  void forward(const op::Add& op, const Unit& unit);
  void forward(const op::Concat& op, const Unit& unit);
  void forward(const op::PadChannels& op, const Unit& unit);
  void forward(const op::Dropout& op, const Unit& unit);
  void forward(const op::Lrn& op, const Unit& unit);
  void forward(const op::Flatten& op, const Unit& unit);
  void forward(const op::SoftmaxCrossEntropy&, const Unit& unit) { forward_loss(unit); }
  void forward(const op::MeanSquaredError&, const Unit& unit) { forward_loss(unit); }
  void forward_sample_norm(const Unit& unit);
  void forward_activation(const Unit& unit);
  void forward_smooth(const Unit& unit, kernels::SmoothActivation kind);
  void forward_pooling(const Unit& unit);
  void forward_loss(const Unit& unit);
  [[nodiscard]] LayerSite convolution_site(const Unit& unit, const kernels::ConvolutionProblem& problem,
                                           const kernels::Layout& source) const;
  void forward_layer(const Unit& unit, const LayerSite& site, const kernels::Layout::Dims& weights_dims, double flops,
                     BufferId source);
  [[nodiscard]] std::optional<KernelChoice> given_choice(const std::string& layer) const;
  [[nodiscard]] bool only_dense_reads(LayerId value) const;

  // lowering_backward.cc: the same in reverse. `gradient` is that of the unit's output.
  void backward(const op::Input& op, const Unit& unit);
  void backward(const op::Convolution&, const Unit& unit) { backward_layer(unit); }
  void backward(const op::Dense&, const Unit& unit) { backward_layer(unit); }
  void backward(const op::BatchNorm& op, const Unit& unit);
  void backward(const op::GroupNorm&, const Unit& unit) { backward_sample_norm(unit); }
  void backward(const op::LayerNorm&, const Unit& unit) { backward_sample_norm(unit); }
  void backward(const op::Relu&, const Unit& unit) { backward_activation(unit); }
  void backward(const op::Relu6&, const Unit& unit) { backward_activation(unit); }
  void backward(const op::Sigmoid&, const Unit& unit);
  void backward(const op::Tanh&, const Unit& unit);
  void backward(const op::Softmax&, const Unit& unit);
  void backward(const op::MaxPool&, const Unit& unit) { backward_pooling(unit); }
  void backward(const op::AveragePool&, const Unit& unit) { backward_pooling(unit); }
  void backward(const op::GlobalAveragePool&, const Unit& unit) { backward_pooling(unit); }
  void backward(const op::Add& op, const Unit& unit);
  void backward(const op::Concat& op, const Unit& unit);
  void backward(const op::PadChannels& op, const Unit& unit);
  void backward(const op::Dropout& op, const Unit& unit);
  void backward(const op::Lrn& op, const Unit& unit);
  void backward(const op::Flatten& op, const Unit& unit);
  void backward(const op::SoftmaxCrossEntropy&, const Unit& unit) { backward_loss(unit); }
  void backward(const op::MeanSquaredError&, const Unit& unit) { backward_loss(unit); }
  void backward_layer(const Unit& unit);
  // The gradient of a batch norm's output, in the form that its kernels take.
  struct NormGradient {
    BufferId first = -1;
    BufferId second = -1;         // to be added, or -1
    bool write_shortcut = false;  // the shortcut's gradient differs from the output's
  };
  void backward_frozen_batch_norm(const Unit& unit);
  [[nodiscard]] NormGradient norm_gradient(const Unit& unit);
  void give_norm_gradient(Line& step, const Unit& unit, const NormGradient& given);
  void backward_sample_norm(const Unit& unit);
  void backward_activation(const Unit& unit);
  void backward_by_output(const Unit& unit, kernels::PreparedPtr prepared);
  void backward_pooling(const Unit& unit);
  void backward_loss(const Unit& unit);
  [[nodiscard]] bool has_gradient(const Unit& unit) const;
  [[nodiscard]] BufferId gradient(const Unit& unit);
  [[nodiscard]] BufferId masked_gradient(const Unit& unit);
  [[nodiscard]] bool only_max_pool_reads(LayerId value) const;
  BufferId new_gradient(LayerId value);

  const Graph& graph_;
  const kernels::Device& device_;
  Tuner& tuner_;
  LoweringOptions options_;
  std::vector<std::vector<LayerId>> readers_;
  std::vector<bool> frozen_;     // per parameter
  std::vector<bool> trainable_;  // per value: whether a gradient with respect to it is needed
  Lowered out_;
  std::map<LayerId, Stored> values_;
  std::map<LayerId, kernels::Activation> activations_;           // that values are the results of
  std::map<std::pair<LayerId, std::string>, Stored> converted_;  // copies of values, by layout
  std::map<LayerId, std::vector<BufferId>> gradients_;           // per value: summands that are not added yet
  std::map<LayerId, LayerKernels> layers_;                       // by unit.layer
  std::map<LayerId, double> layer_flops_;                        // by unit.layer
  std::map<LayerId, BufferId> sources_;                          // by unit.layer: the layer's input
  std::map<LayerId, BufferId> workspaces_;                       // by unit.layer
};

}  // namespace convoy
