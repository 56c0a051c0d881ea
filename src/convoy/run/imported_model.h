// Converts models of other tools to Convoy's form: the network as text, and weights with a model card.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/checkpoint/safetensors.h"
#include "convoy/run/named_network.h"
#include "convoy/run/remarks.h"
#include "convoy/tensor/shape.h"

namespace convoy {

// What a model may leave open. Values that are not given here are taken from its metadata, if Convoy exported it;
// otherwise classes are numbered and images are not normalised.
struct ImportOptions {
  Shape input;
  std::vector<std::string> classes;
  std::vector<float> mean;  // for each channel, for pixels from 0 to 1
  std::vector<float> deviation;
};

struct ImportedModel {
  NamedNetwork network;
  TensorFile weights;  // its metadata is a model card if the network has a loss
};

// Reads an ONNX model. Throws UserError or DataError.
[[nodiscard]] ImportedModel import_model(const std::filesystem::path& path, const ImportOptions& options,
                                         const OnNote& on_note);

// Reads weights in any form: those that read_weights() (checkpoint/weights.h) reads, or an ONNX model.
[[nodiscard]] TensorFile read_any_weights(const std::filesystem::path& path, const OnNote& on_note);

}  // namespace convoy
