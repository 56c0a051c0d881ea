// Turns Convoy's own convolutions into operators. `Convolution` and `Gradient` are classes with scratch_bytes() and
// run().
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/loop_operator.h"

namespace convoy::kernels {

// The layouts of the layer, the same in all passes. Gradients of weights have the layout of the weights, but are
// floats.
struct ConvolutionLayouts {
  Layout source, weights, destination;

  static ConvolutionLayouts blocked(const ConvolutionProblem& p) {
    return {Layout::blocked(p.source_dims(), p.type), Layout::blocked_weights(p.weights_dims(), p.type),
            Layout::blocked(p.destination_dims(), p.type)};
  }
};

// A forward pass, or a pass for the source's gradient, which is a convolution of the result's gradient.
template <typename Element, typename Convolution>
PreparedPtr convolution_operator(std::string name, const ConvolutionProblem& p, Pass pass,
                                 const ConvolutionLayouts& layouts, Convolution convolution) {
  const bool forward = pass == Pass::forward;
  const Role source = forward ? Role::source : Role::diff_destination;
  const Role result = forward ? Role::destination : Role::diff_source;
  const bool bias = forward && p.bias;
  const std::size_t scratch_bytes = convolution.scratch_bytes();
  return std::make_shared<LoopOperator>(
      std::move(name),
      std::vector<std::pair<Role, Layout>>{{source, forward ? layouts.source : layouts.destination},
                                           {Role::weights, layouts.weights},
                                           {Role::bias, bias ? Layout::plain({p.out_channels}) : Layout()},
                                           {result, forward ? layouts.destination : layouts.source}},
      std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, scratch_bytes}},
      [convolution = std::move(convolution), source, result, bias](const Bindings& memory) {
        convolution.run(memory.as<const Element>(source), memory.as<const Element>(Role::weights),
                        bias ? memory.as<const float>(Role::bias) : nullptr, memory.as<Element>(result),
                        memory.as<float>(Role::scratchpad));
      });
}

template <typename Element, typename Gradient>
PreparedPtr weights_gradient_operator(std::string name, const ConvolutionProblem& p, const ConvolutionLayouts& layouts,
                                      Gradient gradient) {
  const std::size_t scratch_bytes = gradient.scratch_bytes();
  return std::make_shared<LoopOperator>(
      std::move(name),
      std::vector<std::pair<Role, Layout>>{{Role::source, layouts.source},
                                           {Role::diff_destination, layouts.destination},
                                           {Role::diff_weights, layouts.weights.with(DataType::fp32)},
                                           {Role::diff_bias, p.bias ? Layout::plain({p.out_channels}) : Layout()}},
      std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, scratch_bytes}},
      [gradient = std::move(gradient)](const Bindings& memory) {
        gradient.run(memory.as<const Element>(Role::source), memory.as<const Element>(Role::diff_destination),
                     memory.as<float>(Role::diff_weights), memory.as<float>(Role::diff_bias),
                     memory.as<float>(Role::scratchpad));
      });
}

}  // namespace convoy::kernels
