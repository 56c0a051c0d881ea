// Models of other tools as Convoy's own: the network as text, and weights with a model card.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/checkpoint/safetensors.h"
#include "convoy/run/named_network.h"
#include "convoy/run/remarks.h"
#include "convoy/tensor/shape.h"

namespace convoy {

// What a model may leave open. What is left out is taken from its metadata, where Convoy exported it; else classes are
// numbered, and images are not normalised.
struct ImportOptions {
  Shape input;
  std::vector<std::string> classes;
  std::vector<float> mean;  // of each channel, of pixels from 0 to 1
  std::vector<float> deviation;
};

struct ImportedModel {
  NamedNetwork network;
  TensorFile weights;  // its metadata is a model card, where the network has a loss
};

// Reads an ONNX model. Throws UserError or DataError.
[[nodiscard]] ImportedModel import_model(const std::filesystem::path& path, const ImportOptions& options,
                                         const OnNote& on_note);

// Weights wherever they are: what read_weights() (checkpoint/weights.h) reads, or an ONNX model.
[[nodiscard]] TensorFile read_any_weights(const std::filesystem::path& path, const OnNote& on_note);

}  // namespace convoy
