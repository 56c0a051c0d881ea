#include "convoy/run/exported_model.h"

#include <utility>
#include <vector>

#include "convoy/engine/predictor.h"
#include "convoy/exchange/onnx/onnx_export.h"
#include "convoy/run/model_metadata.h"
#include "convoy/train/network_weights.h"

namespace convoy {

std::string export_onnx(const TrainedModel& model, const ExportOptions& options) {
  ModelCard card = model.card;
  OnnxExportOptions onnx{.name = card.model, .opset = options.opset};
  if (options.normalise) {
    onnx.mean = std::exchange(card.statistics.mean, std::vector<float>(card.statistics.mean.size(), 0));
    onnx.deviation = std::exchange(card.statistics.deviation, std::vector<float>(card.statistics.deviation.size(), 1));
  }
  Metadata metadata = model.provenance;
  for (const auto& [key, value] : to_metadata(card)) metadata[key] = value;
  onnx.metadata = metadata_for_onnx(metadata);
  if (!options.fold_batch_norm) return onnx_model(model.graph, export_weights(*model.weights), onnx);
  const FoldedGraph folded = fold_batch_norm(model.graph);
  const auto weights = make_parameter_store(folded.graph);
  fold_parameters(*model.weights, folded, *weights);
  return onnx_model(folded.graph, export_weights(*weights), onnx);
}

}  // namespace convoy
