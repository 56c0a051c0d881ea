#include "convoy/run/settings/source_settings.h"

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/run/user_folders.h"

namespace convoy {
namespace {

data::PackUse parse_pack_use(const std::string& text) {
  if (text == "auto") return data::PackUse::automatic;
  if (text == "cached") return data::PackUse::if_present;
  if (text == "never") return data::PackUse::never;
  throw UserError("--pack must be auto, cached or never, got {}", text);
}

}  // namespace

data::SourceOptions source_options(const SourceSettings& settings, const Remarks& remarks) {
  if (settings.image_size < 0 || settings.image_size > 8192) {
    throw UserError("--image-size must be 1 to 8192, got {}", settings.image_size);
  }
  if (!(settings.val_fraction >= 0 && settings.val_fraction < 1)) {
    throw UserError("--val-fraction must be at least 0 and below 1, got {}", settings.val_fraction);
  }
  data::SourceOptions options;
  options.data_dir = settings.data_dir;
  options.cache_dir = cache_folder();
  options.image_size = settings.image_size;
  options.val_fraction = settings.val_fraction;
  options.seed = settings.split_seed;
  options.skip_corrupt = settings.skip_corrupt;
  options.threads = read_machine().usable_cores;
  options.pack = parse_pack_use(settings.pack);
  options.on_note = [remarks](const std::string& note) { remarks.note(note); };
  if (remarks.on_packing) options.on_progress = remarks.on_packing;
  return options;
}

}  // namespace convoy
