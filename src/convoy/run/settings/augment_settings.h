// How training images are varied, as a user says it.
#pragma once

#include <optional>
#include <string>

#include "convoy/data/augment/augment_options.h"

namespace convoy {

// A preset, and what is set beside it in place of the preset's own value.
struct AugmentSettings {
  std::string preset = "none";
  std::optional<int> pad;
  std::optional<bool> flip;
  std::optional<float> shift, zoom, rotation, brightness, contrast;
  std::optional<int> cutout, cutout_count;
};

// Throws UserError naming the preset or attribute that is wrong.
[[nodiscard]] data::AugmentOptions augment_options(const AugmentSettings& settings);

// What was asked for, for headings: "cifar, cutout 16".
[[nodiscard]] std::string augment_text(const AugmentSettings& settings);

}  // namespace convoy
