#include "convoy/cli/settings/model_flags.h"

#include <CLI/CLI.hpp>

#include "convoy/base/error.h"
#include "convoy/models/zoo.h"

namespace convoy::cli {

void add_model_flags(CLI::App& command, ModelFlags& flags) {
  command.add_option("--model", flags.model, "Network of the zoo; `convoy models` lists them")
      ->required()
      ->type_name("NAME");
  command.add_option("--input", flags.input, "One image, e.g. 3x224x224; the model's own size if left out")
      ->type_name("CxHxW");
  command.add_option("--classes", flags.classes, "Classes to tell apart; the model's own number if left out")
      ->type_name("K");
}

Graph build_model(const ModelFlags& flags) {
  ModelOptions options;
  if (flags.input) {
    options.input = Shape::parse(*flags.input);
    if (options.input.rank() != 3) {
      throw UserError("--input must be channels, height and width, such as 3x224x224; got {}", *flags.input);
    }
  }
  if (flags.classes) {
    // Zero means "the model's own" to the library; a user who writes it made a mistake.
    if (*flags.classes < 1) {
      throw UserError("--classes must be at least 1, got {}", *flags.classes);
    }
    options.classes = *flags.classes;
  }
  return convoy::build_model(flags.model, options);
}

}  // namespace convoy::cli
