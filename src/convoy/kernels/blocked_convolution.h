// Convolutions of Convoy's own as operators: images and weights are blocked. `Convolution` and `Gradient` are classes
// with scratch_bytes() and run().
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/loop_operator.h"

namespace convoy::kernels {

// A forward pass, or one for the source's gradient, which is a convolution of the result's.
template <typename Element, typename Convolution>
PreparedPtr blocked_convolution(std::string name, const ConvolutionProblem& p, Pass pass, Convolution convolution) {
  const bool forward = pass == Pass::forward;
  const Role source = forward ? Role::source : Role::diff_destination;
  const Role result = forward ? Role::destination : Role::diff_source;
  const bool bias = forward && p.bias;
  const std::size_t scratch_bytes = convolution.scratch_bytes();
  return std::make_shared<LoopOperator>(
      std::move(name),
      std::vector<std::pair<Role, Layout>>{
          {source, Layout::blocked(forward ? p.source_dims() : p.destination_dims(), p.type)},
          {Role::weights, Layout::blocked_weights(p.weights_dims(), p.type)},
          {Role::bias, bias ? Layout::plain({p.out_channels}) : Layout()},
          {result, Layout::blocked(forward ? p.destination_dims() : p.source_dims(), p.type)}},
      std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, scratch_bytes}},
      [convolution = std::move(convolution), source, result, bias](const Bindings& memory) {
        convolution.run(memory.as<const Element>(source), memory.as<const Element>(Role::weights),
                        bias ? memory.as<const float>(Role::bias) : nullptr, memory.as<Element>(result),
                        memory.as<float>(Role::scratchpad));
      });
}

template <typename Element, typename Gradient>
PreparedPtr blocked_weights_gradient(std::string name, const ConvolutionProblem& p, Gradient gradient) {
  const std::size_t scratch_bytes = gradient.scratch_bytes();
  return std::make_shared<LoopOperator>(
      std::move(name),
      std::vector<std::pair<Role, Layout>>{{Role::source, Layout::blocked(p.source_dims(), p.type)},
                                           {Role::diff_destination, Layout::blocked(p.destination_dims(), p.type)},
                                           {Role::diff_weights, Layout::blocked_weights(p.weights_dims())},
                                           {Role::diff_bias, p.bias ? Layout::plain({p.out_channels}) : Layout()}},
      std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, scratch_bytes}},
      [gradient = std::move(gradient)](const Bindings& memory) {
        gradient.run(memory.as<const Element>(Role::source), memory.as<const Element>(Role::diff_destination),
                     memory.as<float>(Role::diff_weights), memory.as<float>(Role::diff_bias),
                     memory.as<float>(Role::scratchpad));
      });
}

}  // namespace convoy::kernels
