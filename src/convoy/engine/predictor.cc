#include "convoy/engine/predictor.h"

namespace convoy {
namespace {

CompileOptions for_prediction(CompileOptions options) {
  options.training = false;
  options.frozen.clear();
  return options;
}

}  // namespace

Predictor::Predictor(const Graph& graph, CompileOptions options)
    : folded_(fold_batch_norm(graph)), network_(folded_.graph, for_prediction(std::move(options))) {}

void Predictor::load(const ParameterStore& trained) { fold_parameters(trained, folded_, network_.parameters()); }

}  // namespace convoy
