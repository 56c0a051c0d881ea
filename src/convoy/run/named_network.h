// A network that a user names: one of the zoo, or a file that contains one as text or as an ONNX model.
#pragma once

#include <string>

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

struct NamedNetwork {
  std::string name;  // the name in the zoo, or that of the file without folder and ending
  // The file's text, or the text for its ONNX model (graph/network_text.h); empty: a network of the zoo.
  std::string text;
  std::string file;  // for messages about the text
};

// `model` is what the user wrote; a file may be a pipe. Throws UserError when it is neither a network of the zoo nor a
// file, and DataError for a file that cannot be read.
[[nodiscard]] NamedNetwork open_network(const std::string& model);

// The network that a run or a weights file has kept; an empty text means the zoo.
[[nodiscard]] NamedNetwork kept_network(const std::string& name, const std::string& text);

// Throws UserError that says what does not fit; for a text file with line and layer.
[[nodiscard]] Graph build_network(const NamedNetwork& network, const ModelOptions& options = {});

}  // namespace convoy
