// Reads networks with their weights from ONNX models.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/graph/graph.h"

namespace convoy {

struct ImportedNetwork {
  Graph graph;                       // ends with a loss if the model's output is one row of scores
  std::vector<NamedTensor> weights;  // under the names of the graph's parameters
  std::map<std::string, std::string> metadata;
  std::vector<std::string> notes;  // what was left out, one sentence each
};

// `input` is the shape of a sample, for models that leave it open. Throws DataError for a file that is damaged or not a
// model, and UserError for a model with operators that Convoy does not have, with the node, its type and the supported
// types. Uses at most a few times as much memory as the file's size.
[[nodiscard]] ImportedNetwork import_onnx(const std::filesystem::path& file, const Shape& input = {});

// The same for the bytes of a file; `folder` is where tensors in separate files may be.
[[nodiscard]] ImportedNetwork import_onnx(std::span<const std::uint8_t> bytes, const std::string& file,
                                          const std::filesystem::path& folder, const Shape& input = {});

// The supported types of nodes, in alphabetical order.
[[nodiscard]] std::vector<std::string> onnx_operators();

}  // namespace convoy
