// Exports trained weights as models that other tools can run.
#pragma once

#include <string>

#include "convoy/run/trained_model.h"

namespace convoy {

struct ExportOptions {
  bool fold_batch_norm = false;  // into the convolutions before it
  bool normalise = false;        // as part of the model, which then takes pixels from 0 to 1
  int opset = 13;
};

// The bytes of an ONNX model. Its metadata is the model card, with the prefix "convoy.", and the origin of the weights.
// Throws UserError for what ONNX cannot express.
[[nodiscard]] std::string export_onnx(const TrainedModel& model, const ExportOptions& options);

}  // namespace convoy
