// Networks with their weights from ONNX models.
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
  Graph graph;                       // ends with the loss where the model gives one row of scores
  std::vector<NamedTensor> weights;  // with the names of the graph's parameters
  std::map<std::string, std::string> metadata;
  std::vector<std::string> notes;  // what was left out, a sentence each
};

// `input` is for models that leave it open, without the batch. Throws DataError for a file that is damaged or no model,
// and UserError for one that Convoy has no operators for, with the node, its type and the types that are understood.
// Takes no more memory than a few times the file's size.
[[nodiscard]] ImportedNetwork import_onnx(const std::filesystem::path& file, const Shape& input = {});

// The same of a file's bytes; `folder` is where tensors in files of their own may lie.
[[nodiscard]] ImportedNetwork import_onnx(std::span<const std::uint8_t> bytes, const std::string& file,
                                          const std::filesystem::path& folder, const Shape& input = {});

// The types of nodes that are understood, in alphabetical order.
[[nodiscard]] std::vector<std::string> onnx_operators();

}  // namespace convoy
