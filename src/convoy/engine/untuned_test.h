// Compiles without timing anything: every layer uses the first implementation. Tests of passes and numbers hold for any
// choice, and this one is quick and always the same.
#pragma once

#include "convoy/engine/choices.h"
#include "convoy/engine/lowering.h"
#include "convoy/graph/graph.h"

namespace convoy {

[[nodiscard]] inline Choices untuned(const Graph& graph) {
  const std::string first(kFirstImplementation);
  Choices choices;
  for (const Layer& layer : graph.layers()) {
    choices[layer.name] = {first, first, first};
  }
  return choices;
}

// The program before buffers are shared.
[[nodiscard]] inline Lowered lower_untuned(const Graph& graph, const kernels::Device& device, LoweringOptions options) {
  const Choices choices = untuned(graph);
  options.choices = &choices;
  TuningCache cache;
  Tuner tuner(device, cache, "");
  return Lowering(graph, device, tuner, options).run();
}

}  // namespace convoy
