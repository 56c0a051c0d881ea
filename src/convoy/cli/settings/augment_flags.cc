#include "convoy/cli/settings/augment_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace convoy::cli {

void add_augment_flags(CLI::App& command, AugmentSettings& settings) {
  command
      .add_option("--augment", settings.preset,
                  fmt::format("How training images are varied: {}{}", fmt::join(data::augment_presets(), ", "),
                              settings.preset.empty() ? "; as usual for the data if left out" : ""))
      ->type_name("PRESET")
      ->capture_default_str();
  command.add_option("--pad", settings.pad, "Pixels added on each side before a random crop")->type_name("PIXELS");
  command.add_option("--flip", settings.flip, "Mirror half of the images: true or false")->type_name("BOOL");
  command.add_option("--shift", settings.shift, "Shift by up to this part of width and height")->type_name("PART");
  command.add_option("--zoom", settings.zoom, "Magnify by 1 - ZOOM to 1 + ZOOM")->type_name("ZOOM");
  command.add_option("--rotation", settings.rotation, "Rotate by up to this part of a full turn")->type_name("PART");
  command.add_option("--brightness", settings.brightness, "Change brightness by up to this part")->type_name("PART");
  command.add_option("--contrast", settings.contrast, "Change contrast by up to this part")->type_name("PART");
  command.add_option("--cutout", settings.cutout, "Side of the squares cut out of each image")->type_name("PIXELS");
  command.add_option("--cutout-count", settings.cutout_count, "How many squares; 1 if left out")->type_name("N");
}

}  // namespace convoy::cli
