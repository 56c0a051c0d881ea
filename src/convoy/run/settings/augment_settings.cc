#include "convoy/run/settings/augment_settings.h"

#include <fmt/format.h>

namespace convoy {
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

data::AugmentOptions augment_options(const AugmentSettings& settings) {
  data::AugmentOptions options = data::augment_preset(settings.preset);
  override_with(settings.pad, options.crop_padding);
  override_with(settings.flip, options.flip);
  override_with(settings.shift, options.shift);
  override_with(settings.zoom, options.zoom);
  override_with(settings.rotation, options.rotation);
  override_with(settings.brightness, options.brightness);
  override_with(settings.contrast, options.contrast);
  override_with(settings.cutout, options.cutout_size);
  override_with(settings.cutout_count, options.cutout_count);
  data::validate(options);
  return options;
}

std::string augment_text(const AugmentSettings& settings) {
  std::string text = settings.preset;
  append(text, "pad", settings.pad);
  append(text, "flip", settings.flip);
  append(text, "shift", settings.shift);
  append(text, "zoom", settings.zoom);
  append(text, "rotation", settings.rotation);
  append(text, "brightness", settings.brightness);
  append(text, "contrast", settings.contrast);
  append(text, "cutout", settings.cutout);
  append(text, "cutout count", settings.cutout_count);
  return text;
}

}  // namespace convoy
