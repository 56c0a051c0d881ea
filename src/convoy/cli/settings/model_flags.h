// The flags that name a network of the zoo, shared by every sub-command that takes one.
#pragma once

#include <optional>
#include <string>

#include "convoy/graph/graph.h"

namespace CLI {
class App;
}

namespace convoy::cli {

struct ModelFlags {
  std::string model;
  std::optional<std::string> input;  // none: the model's own
  std::optional<int> classes;        // likewise
};

// Adds --model (required), --input and --classes. `flags` must outlive the parser.
void add_model_flags(CLI::App& command, ModelFlags& flags);

// Throws UserError naming the flag, or the layer that the input does not fit.
[[nodiscard]] Graph build_model(const ModelFlags& flags);

}  // namespace convoy::cli
