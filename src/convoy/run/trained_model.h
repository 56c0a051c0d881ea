// Opens trained weights for prediction, from a run's folder or from a weights file alone.
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
  Metadata provenance;  // all metadata of the file: the model card, and the step, the data, ...
  Graph graph;
  std::unique_ptr<ParameterStore> weights;
};

// `path` is a run's folder (its best checkpoint is used), a checkpoint's folder, a weights file of Convoy or an ONNX
// model. Throws UserError or DataError.
[[nodiscard]] TrainedModel open_trained_model(const std::filesystem::path& path, const OnNote& on_note);

// The precision to compute with: the one that was asked for or, if empty, the one it was trained in.
[[nodiscard]] DataType precision_for(const ModelCard& card, const std::string& asked);

// Memory for the parameters of a network. Their layout does not matter here, so nothing is measured.
[[nodiscard]] std::unique_ptr<ParameterStore> make_parameter_store(const Graph& graph);

// For scores that are NaN or infinite: finite weights may still be so large that sums of them are not. Throws
// DataError.
[[noreturn]] void refuse_scores_of(const std::filesystem::path& path);

}  // namespace convoy
