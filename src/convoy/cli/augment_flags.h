// The flags that say how training images are varied, shared by every sub-command that trains on them or shows them.
#pragma once

#include <optional>
#include <string>

#include "convoy/data/augment_options.h"

namespace CLI {
class App;
}

namespace convoy::cli {

// A preset, and what is set beside it in place of the preset's own value.
struct AugmentFlags {
  std::string preset = "none";
  std::optional<int> pad;
  std::optional<bool> flip;
  std::optional<float> shift, zoom, rotation, brightness, contrast;
  std::optional<int> cutout, cutout_count;
};

// Adds --augment and a flag for each attribute. `flags` must outlive the parser.
void add_augment_flags(CLI::App& command, AugmentFlags& flags);

// Throws UserError naming the preset or attribute that is wrong.
[[nodiscard]] data::AugmentOptions augment_options(const AugmentFlags& flags);

// What was asked for, for headings: "cifar, cutout 16".
[[nodiscard]] std::string augment_text(const AugmentFlags& flags);

}  // namespace convoy::cli
