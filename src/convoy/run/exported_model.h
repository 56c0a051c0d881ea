// Trained weights as models that other tools run.
#pragma once

#include <string>

#include "convoy/run/trained_model.h"

namespace convoy {

struct ExportOptions {
  bool fold_batch_norm = false;  // into the convolutions before it
  bool normalise = false;        // in the model, which then takes pixels from 0 to 1
  int opset = 13;
};

// The bytes of an ONNX model. Its metadata is the model card, under "convoy.", with where the weights come from. Throws
// UserError for what ONNX cannot say.
[[nodiscard]] std::string export_onnx(const TrainedModel& model, const ExportOptions& options);

}  // namespace convoy
