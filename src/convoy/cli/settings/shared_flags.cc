#include "convoy/cli/settings/shared_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "convoy/base/error.h"
#include "convoy/run/named_network.h"
#include "convoy/run/user_folders.h"

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

void add_data_dir_flag(CLI::App& command, std::string& data_dir) {
  data_dir = default_data_folder().string();
  command.add_option("--data-dir", data_dir, "Folder that holds the data sets")
      ->type_name("DIR")
      ->capture_default_str();
}

void add_source_flags(CLI::App& command, SourceSettings& settings) {
  add_data_dir_flag(command, settings.data_dir);
  command.add_option("--image-size", settings.image_size,
                     "Height and width of the images in pixels; the data's own if left out, 224 for folders");
  command
      .add_option("--val-fraction", settings.val_fraction,
                  "Share of each class kept for testing where the data has no split of its own")
      ->capture_default_str();
  command.add_option("--split-seed", settings.split_seed, "Seed of that split")->capture_default_str();
  command.add_flag("--skip-corrupt", settings.skip_corrupt, "Leave out unreadable samples, and count them");
}

void add_precision_flag(CLI::App& command, std::string& precision) {
  const char* const otherwise = precision.empty() ? "; that of training if left out" : "";
  command
      .add_option("--precision", precision,
                  fmt::format("Of activations and of the weights that kernels read: fp32 or bf16{}", otherwise))
      ->type_name("TYPE")
      ->capture_default_str();
}

void add_pack_flag(CLI::App& command, SourceSettings& settings) {
  command
      .add_option("--pack", settings.pack,
                  "Image files decoded once into a file in the cache: auto makes and uses it where that pays, cached "
                  "only uses it, never decodes each time")
      ->type_name("WHEN")
      ->capture_default_str();
}

void add_model_flags(CLI::App& command, ModelFlags& flags) {
  command
      .add_option("--model", flags.model, "Network of the zoo, which `convoy models` lists, or a file with one as text")
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
    // For the library zero means "the model's own number"; a user who writes it has made a mistake.
    if (*flags.classes < 1) {
      throw UserError("--classes must be at least 1, got {}", *flags.classes);
    }
    options.classes = *flags.classes;
  }
  if (flags.filters) options.filters = inception_filters(*flags.filters);
  return build_network(open_network(flags.model), options);
}

}  // namespace convoy::cli
