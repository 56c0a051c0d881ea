#include "convoy/cli/source_flags.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/cache_folder.h"
#include "convoy/cli/data_folder.h"
#include "convoy/cli/standard_streams.h"

namespace convoy::cli {

namespace {

data::PackUse parse_pack_use(const std::string& text) {
  if (text == "auto") return data::PackUse::automatic;
  if (text == "cached") return data::PackUse::if_present;
  if (text == "never") return data::PackUse::never;
  throw UserError("--pack must be auto, cached or never, got {}", text);
}

}  // namespace

void add_data_dir_flag(CLI::App& command, std::string& data_dir) {
  data_dir = default_data_folder().string();
  command.add_option("--data-dir", data_dir, "Folder that holds the data sets")->capture_default_str();
}

void add_source_flags(CLI::App& command, SourceFlags& flags) {
  add_data_dir_flag(command, flags.data_dir);
  command.add_option("--image-size", flags.image_size,
                     "Height and width of the images in pixels; the data's own if left out, 224 for folders");
  command
      .add_option("--val-fraction", flags.val_fraction,
                  "Share of each class kept for testing where the data has no split of its own")
      ->capture_default_str();
  command.add_option("--split-seed", flags.split_seed, "Seed of that split")->capture_default_str();
  command.add_flag("--skip-corrupt", flags.skip_corrupt, "Leave out unreadable samples, and count them");
}

void add_pack_flag(CLI::App& command, SourceFlags& flags) {
  command
      .add_option("--pack", flags.pack,
                  "Image files decoded once into a file in the cache: auto makes and uses it where that pays, cached "
                  "only uses it, never decodes each time")
      ->type_name("WHEN")
      ->capture_default_str();
}

data::SourceOptions source_options(const SourceFlags& flags) {
  if (flags.image_size < 0 || flags.image_size > 8192) {
    throw UserError("--image-size must be 1 to 8192, got {}", flags.image_size);
  }
  if (!(flags.val_fraction >= 0 && flags.val_fraction < 1)) {
    throw UserError("--val-fraction must be at least 0 and below 1, got {}", flags.val_fraction);
  }
  data::SourceOptions options;
  options.data_dir = flags.data_dir;
  options.cache_dir = cache_folder();
  options.image_size = flags.image_size;
  options.val_fraction = flags.val_fraction;
  options.seed = flags.split_seed;
  options.skip_corrupt = flags.skip_corrupt;
  options.threads = read_machine().usable_cores;
  options.pack = parse_pack_use(flags.pack);
  const auto line = std::make_shared<ProgressLine>();
  options.on_note = [line](const std::string& note) {
    line->end();
    print_note(note);
  };
  options.on_progress = [line](std::int64_t done, std::int64_t total) { show_packing(*line, done, total); };
  return options;
}

void show_packing(ProgressLine& line, std::int64_t done, std::int64_t total) {
  line.show("packing", fmt::format("{} of {} images", grouped_text(done), grouped_text(total)), done, total);
}

void print_note(const std::string& note) { say("note: {}\n", message_text(note)); }

}  // namespace convoy::cli
