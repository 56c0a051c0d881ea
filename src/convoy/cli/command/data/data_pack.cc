#include "convoy/cli/command/data/data_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/data/pack/pack_writer.h"
#include "convoy/data/source/image_file_source.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source_spec.h"

namespace convoy::cli {

namespace {

struct PackFlags {
  std::string data;
  std::string out;
  SourceSettings source;
  bool json = false;
};

data::PackResult write(const PackFlags& flags, std::filesystem::path& path) {
  data::SourceOptions options = source_options(flags.source, terminal_remarks());
  const data::SourceSpec spec = data::find_source(flags.data);
  if (!data::has_image_files(spec.kind)) {
    throw UserError("{} has no image files; packing is for image folders and tiny-imagenet", flags.data);
  }
  const data::ImageFiles files = data::list_image_files(spec, options);
  path = flags.out.empty() ? data::cached_pack_path(files, spec, options) : std::filesystem::path(flags.out);
  if (flags.out.empty() && options.cache_dir.empty()) throw UserError("there is no cache folder; give --out FILE");
  // The writer itself leaves out corrupt images; checking them beforehand would decode everything twice.
  options.pack = data::PackUse::never;
  options.skip_corrupt = false;
  const auto source = data::open_source(spec.text, options);
  ProgressLine progress;
  data::PackOptions pack{
      .fingerprint = data::fingerprint(files), .skip_corrupt = flags.source.skip_corrupt, .threads = options.threads};
  pack.on_progress = [&](std::int64_t done, std::int64_t total) { show_packing(progress, done, total); };
  return data::write_pack(path, *source, pack);
}

void pack(const PackFlags& flags) {
  std::filesystem::path path;
  const data::PackResult result = write(flags, path);
  for (const std::string& reason : result.skipped) {
    print_note("left out: " + reason);
  }
  if (flags.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"path", path.string()},
                                              {"bytes", result.file_bytes},
                                              {"samples", result.samples},
                                              {"skipped", result.skipped.size()}}
                           .dump(2));
    return;
  }
  fmt::print("{}: {} images, {}{}\n", printable_text(path.string()), grouped_text(result.samples),
             bytes_text(static_cast<double>(result.file_bytes)),
             result.skipped.empty() ? "" : fmt::format(", {} left out", result.skipped.size()));
  if (flags.out.empty()) fmt::print("It is used by itself while the images stay as they are.\n");
}

}  // namespace

void add_data_pack(CLI::App& data) {
  CLI::App* const command =
      data.add_subcommand("pack", "Decode and resize images once into one file, for faster epochs");
  const auto flags = std::make_shared<PackFlags>();
  command->add_option("data", flags->data, "An image folder or tiny-imagenet")->required()->type_name("DATA");
  command->add_option("--out", flags->out, "File to write; the cache, where it is found by itself, if left out")
      ->type_name("FILE");
  add_source_flags(*command, flags->source);
  command->add_flag("--json", flags->json, "Print one JSON object instead of text");
  command->footer("Example:\n  convoy data pack photos/ --image-size 128");
  command->callback([flags] { pack(*flags); });
}

}  // namespace convoy::cli
