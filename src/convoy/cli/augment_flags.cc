#include "convoy/cli/augment_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace convoy::cli {
namespace {

template <typename Value>
void override_with(const std::optional<Value>& given, Value& value) {
  if (given) value = *given;
}

template <typename Value>
void append(std::string& text, const char* name, const std::optional<Value>& given) {
  if (given) text += fmt::format(", {} {}", name, *given);
}

}  // namespace

void add_augment_flags(CLI::App& command, AugmentFlags& flags) {
  command
      .add_option("--augment", flags.preset,
                  fmt::format("How training images are varied: {}{}", fmt::join(data::augment_presets(), ", "),
                              flags.preset.empty() ? "; as usual for the data if left out" : ""))
      ->type_name("PRESET")
      ->capture_default_str();
  command.add_option("--pad", flags.pad, "Pixels added on each side before a random crop")->type_name("PIXELS");
  command.add_option("--flip", flags.flip, "Mirror half of the images: true or false")->type_name("BOOL");
  command.add_option("--shift", flags.shift, "Shift by up to this part of width and height")->type_name("PART");
  command.add_option("--zoom", flags.zoom, "Magnify by 1 - ZOOM to 1 + ZOOM")->type_name("ZOOM");
  command.add_option("--rotation", flags.rotation, "Rotate by up to this part of a full turn")->type_name("PART");
  command.add_option("--brightness", flags.brightness, "Change brightness by up to this part")->type_name("PART");
  command.add_option("--contrast", flags.contrast, "Change contrast by up to this part")->type_name("PART");
  command.add_option("--cutout", flags.cutout, "Side of the squares cut out of each image")->type_name("PIXELS");
  command.add_option("--cutout-count", flags.cutout_count, "How many squares; 1 if left out")->type_name("N");
}

data::AugmentOptions augment_options(const AugmentFlags& flags) {
  data::AugmentOptions options = data::augment_preset(flags.preset);
  override_with(flags.pad, options.crop_padding);
  override_with(flags.flip, options.flip);
  override_with(flags.shift, options.shift);
  override_with(flags.zoom, options.zoom);
  override_with(flags.rotation, options.rotation);
  override_with(flags.brightness, options.brightness);
  override_with(flags.contrast, options.contrast);
  override_with(flags.cutout, options.cutout_size);
  override_with(flags.cutout_count, options.cutout_count);
  data::validate(options);
  return options;
}

std::string augment_text(const AugmentFlags& flags) {
  std::string text = flags.preset;
  append(text, "pad", flags.pad);
  append(text, "flip", flags.flip);
  append(text, "shift", flags.shift);
  append(text, "zoom", flags.zoom);
  append(text, "rotation", flags.rotation);
  append(text, "brightness", flags.brightness);
  append(text, "contrast", flags.contrast);
  append(text, "cutout", flags.cutout);
  append(text, "cutout count", flags.cutout_count);
  return text;
}

}  // namespace convoy::cli
