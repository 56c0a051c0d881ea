// Trained weights, ready to predict: from a run's folder or from a weights file alone.
#pragma once

#include <filesystem>
#include <memory>

#include "convoy/engine/parameter_store.h"
#include "convoy/graph/graph.h"
#include "convoy/run/remarks.h"
#include "convoy/train/model_card.h"

namespace convoy {

struct TrainedModel {
  ModelCard card;
  Metadata provenance;  // everything that the file says of itself: the card too, and the step, the data, ...
  Graph graph;
  std::unique_ptr<ParameterStore> weights;
};

// `path` is a run's folder (its best checkpoint), a checkpoint's, a weights file of Convoy's or an ONNX model. Throws
// UserError or DataError.
[[nodiscard]] TrainedModel open_trained_model(const std::filesystem::path& path, const OnNote& on_note);

// What to compute it with: what was asked for, or, with nothing, what it was trained in.
[[nodiscard]] DataType precision_for(const ModelCard& card, const std::string& asked);

// Room for the parameters of a network. Their layout in it does not matter, so nothing is measured.
[[nodiscard]] std::unique_ptr<ParameterStore> make_parameter_store(const Graph& graph);

// For scores that are no numbers: weights that are numbers may still be so large that sums of them are not. Throws
// DataError.
[[noreturn]] void refuse_scores_of(const std::filesystem::path& path);

}  // namespace convoy
