// The zoo: every network Convoy knows by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

struct ZooEntry {
  std::string name;
  std::string description;
  Shape input;  // what build_model uses when the options leave it open
  int classes;  // likewise; 0 for a module, which classifies nothing
  // Builds the network; `options` must have input and classes filled in.
  Graph (*build)(const ModelOptions& options);
};

// In the order in which users see them.
[[nodiscard]] const std::vector<ZooEntry>& zoo();

// Throws UserError with the nearest name when there is no such model.
[[nodiscard]] const ZooEntry& find_model(std::string_view name);

// Builds a network; what `options` leave open is taken from the zoo's entry. Throws UserError for an unknown name, for
// a number of classes or a label smoothing that makes no sense, and with the layer's name and both shapes for an input
// that does not fit.
[[nodiscard]] Graph build_model(std::string_view name, const ModelOptions& options = {});

}  // namespace convoy
