// The flags that several commands share: which data, how its images are varied, which network.
#pragma once

#include <optional>
#include <string>

#include "convoy/graph/graph.h"
#include "convoy/run/settings/augment_settings.h"
#include "convoy/run/settings/source_settings.h"

namespace CLI {
class App;
}

namespace convoy::cli {

// For commands that train on images or show them: adds --augment and a flag for each attribute. `settings` must outlive
// the parser.
void add_augment_flags(CLI::App& command, AugmentSettings& settings);

// Adds only --data-dir, for commands that open no data.
void add_data_dir_flag(CLI::App& command, std::string& data_dir);

// Adds --data-dir, --image-size, --val-fraction, --split-seed, --skip-corrupt; `settings` must outlive the parser.
void add_source_flags(CLI::App& command, SourceSettings& settings);
void add_pack_flag(CLI::App& command, SourceSettings& settings);

// The flags that choose a network of the zoo.
struct ModelFlags {
  std::string model;
  std::optional<std::string> input;         // no value: the model's own
  std::optional<int> classes;               // no value: the model's own
  std::optional<std::string> filters = {};  // for an inception module (models/model_options.h); only `summary` has it
};

// Adds --model (required), --input and --classes. `flags` must outlive the parser.
void add_model_flags(CLI::App& command, ModelFlags& flags);

// Adds --precision, for commands that compute but do not train. `precision` must outlive the parser.
void add_precision_flag(CLI::App& command, std::string& precision);

// Throws UserError that names the flag, or the layer that the input does not fit.
[[nodiscard]] Graph build_model(const ModelFlags& flags);

}  // namespace convoy::cli
