// How training images are varied, as settings of a user.
#pragma once

#include <optional>
#include <string>

#include "convoy/data/augment/augment_options.h"

namespace convoy {

// A preset, and values that replace those of the preset.
struct AugmentSettings {
  std::string preset = "none";
  std::optional<int> pad;
  std::optional<bool> flip;
  std::optional<float> shift, zoom, rotation, brightness, contrast;
  std::optional<int> cutout, cutout_count;
};

// Throws UserError that names the wrong preset or attribute.
[[nodiscard]] data::AugmentOptions augment_options(const AugmentSettings& settings);

// What was asked for, for headings: "cifar, cutout 16".
[[nodiscard]] std::string augment_text(const AugmentSettings& settings);

}  // namespace convoy
