#include "convoy/data/augment/augment_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"

namespace convoy::data {
namespace {

using Preset = std::pair<std::string, AugmentOptions>;

const std::array<Preset, 5>& presets() {
  static const std::array<Preset, 5> kPresets = {{
      {"none", {}},
      {"cifar", {.crop_padding = 4, .flip = true}},
      {"imagenet", {.flip = true, .resized_crop = {.smallest_area = 0.08F, .largest_stretch = 4.0F / 3}}},
      // Black corners would reveal the angle to the network, so these two presets mirror the image.
      {"gentle", {.shift = 0.01F, .zoom = 0.01F, .border = Border::mirrored}},
      {"strong", {.flip = true, .shift = 0.2F, .zoom = 0.2F, .rotation = 0.05F, .border = Border::mirrored}},
  }};
  return kPresets;
}

void check_part(const char* what, float value) {
  if (!(value >= 0 && value < 1)) {
    throw UserError("augmentation: {} must be at least 0 and below 1, got {}", what, value);
  }
}

void check_not_negative(const char* what, int value) {
  if (value < 0) throw UserError("augmentation: {} must not be negative, got {}", what, value);
}

}  // namespace

const std::vector<std::string>& augment_presets() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Preset& preset : presets()) names.push_back(preset.first);
    return names;
  }();
  return kNames;
}

AugmentOptions augment_preset(std::string_view name) {
  for (const auto& [known, options] : presets()) {
    if (known == name) return options;
  }
  const auto nearest = nearest_name(name, augment_presets());
  throw UserError("unknown augmentation '{}'; {}it is one of {}", name,
                  nearest ? fmt::format("did you mean {}? ", *nearest) : "", fmt::join(augment_presets(), ", "));
}

void validate(const AugmentOptions& options) {
  check_not_negative("crop padding", options.crop_padding);
  check_not_negative("cutout size", options.cutout_size);
  check_not_negative("cutout count", options.cutout_count);
  check_part("shift", options.shift);
  check_part("zoom", options.zoom);
  check_part("rotation", options.rotation);
  check_part("brightness", options.brightness);
  check_part("contrast", options.contrast);
  const ResizedCrop& crop = options.resized_crop;
  if (!(crop.smallest_area > 0 && crop.smallest_area <= 1)) {
    throw UserError("augmentation: the smallest area of a crop must be above 0 and at most 1, got {}",
                    crop.smallest_area);
  }
  if (!(crop.largest_stretch >= 1)) {
    throw UserError("augmentation: the largest stretch of a crop must be at least 1, got {}", crop.largest_stretch);
  }
  if (crop.smallest_area < 1 && options.crop_padding > 0) {
    throw UserError("augmentation: a padded crop and a resized crop exclude each other");
  }
}

void validate_for(const AugmentOptions& options, const Shape& image) {
  validate(options);
  const std::int64_t side = std::min(image[1], image[2]);
  if (options.cutout_size <= side) return;
  throw UserError("augmentation: a cutout of {} pixels does not fit images of {}x{}; it is at most {}",
                  options.cutout_size, image[1], image[2], side);
}

}  // namespace convoy::data
