#include "convoy/cli/settings/source_flags.h"

#include <CLI/CLI.hpp>

#include "convoy/run/user_folders.h"

namespace convoy::cli {

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

void add_pack_flag(CLI::App& command, SourceSettings& settings) {
  command
      .add_option("--pack", settings.pack,
                  "Image files decoded once into a file in the cache: auto makes and uses it where that pays, cached "
                  "only uses it, never decodes each time")
      ->type_name("WHEN")
      ->capture_default_str();
}

}  // namespace convoy::cli
