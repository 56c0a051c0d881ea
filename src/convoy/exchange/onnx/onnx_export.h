// Writes networks with their weights as ONNX models, which onnxruntime and many others can run.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/graph/graph.h"

namespace convoy {

inline constexpr int kOldestOnnxOpset = 9;
inline constexpr int kNewestOnnxOpset = 17;

struct OnnxExportOptions {
  std::string name = "network";  // of the graph
  int opset = 13;
  // Mean and deviation of each channel: with them the model takes pixels from 0 to 1 and normalises them itself. Empty:
  // it takes normalised pixels.
  std::vector<float> mean;
  std::vector<float> deviation;
  std::map<std::string, std::string> metadata;  // copied into the model
};

// The bytes of the model: batch "N", input "input", output "logits" (what the loss reads or, without a loss, the last
// layer). Values and nodes have the layers' names, weights those of `weights`. Throws UserError for what ONNX cannot
// express and for an opset outside the range above, DataError for missing weights.
[[nodiscard]] std::string onnx_model(const Graph& graph, std::span<const NamedTensor> weights,
                                     const OnnxExportOptions& options = {});

}  // namespace convoy
