#include "convoy/train/fitting.h"

#include "convoy/base/error.h"

namespace convoy {

std::int64_t classes_of(const Graph& graph) {
  const Layer& last = graph.layer(graph.output());
  return is_loss(last.op) ? graph.layer(last.inputs[0]).shape.count() : last.shape.count();
}

void require_fitting(const Graph& graph, const data::Source& source) {
  const Layer& input = graph.layer(0);
  const Shape image = source.shape();
  const bool is_row = input.shape.rank() == 1 && input.shape.count() == image.count();
  if (input.shape != image && !is_row) {
    throw UserError("layer \"{}\" takes {}, but the images of {} are {}", input.name, input.shape.to_string(),
                    source.name(), image.to_string());
  }
  const auto classes = static_cast<std::int64_t>(source.classes().size());
  if (classes <= classes_of(graph)) return;
  throw UserError("layer \"{}\" tells {} classes apart, but {} has {}", graph.layers().back().name, classes_of(graph),
                  source.name(), classes);
}

}  // namespace convoy
