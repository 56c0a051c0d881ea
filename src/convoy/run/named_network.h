// A network that a user names: one of the zoo, or a file that holds one as text or as an ONNX model.
#pragma once

#include <string>

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

struct NamedNetwork {
  std::string name;  // in the zoo, or the file's without folder and ending
  std::string text;  // of a file, or what its ONNX model comes to (graph/network_text.h); empty: of the zoo
  std::string file;  // for messages about the text
};

// `model` is what the user wrote. A file may be a pipe. Throws UserError when it is neither a network of the zoo nor a
// file, and DataError for a file that cannot be read.
[[nodiscard]] NamedNetwork open_network(const std::string& model);

// What a run or a weights file keeps of a network; an empty text means the zoo.
[[nodiscard]] NamedNetwork kept_network(const std::string& name, const std::string& text);

// Throws UserError with what does not fit: of a text file, line and layer.
[[nodiscard]] Graph build_network(const NamedNetwork& network, const ModelOptions& options = {});

}  // namespace convoy
