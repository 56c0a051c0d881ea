#include "convoy/cli/data_preview.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "convoy/cli/augment_flags.h"
#include "convoy/cli/source_flags.h"
#include "convoy/data/contact_sheet.h"
#include "convoy/data/open_source.h"
#include "convoy/data/path_spec.h"
#include "convoy/data/png_writer.h"

namespace convoy::cli {
namespace {

struct PreviewFlags {
  std::string data;
  SourceFlags source;
  AugmentFlags augment;
  data::ContactSheetOptions sheet;
  std::filesystem::path out = "sheet.png";
};

// Without the way to it, which says little to a reader of the picture.
std::string short_name(const data::SourceSpec& spec) {
  if (spec.kind == data::SourceKind::synthetic) return spec.text;
  if (spec.kind != data::SourceKind::folder && spec.kind != data::SourceKind::pack) return spec.name;
  return std::filesystem::weakly_canonical(spec.argument).filename().string();
}

void preview(PreviewFlags flags) {
  const data::SourceSpec spec = data::find_source(flags.data);
  flags.sheet.augment = augment_options(flags.augment);
  flags.sheet.title =
      fmt::format("{}, augment {}, seed {}", short_name(spec), augment_text(flags.augment), flags.sheet.seed);
  const auto source = data::open_source(spec.text, source_options(flags.source));
  const data::RgbImage sheet = data::draw_contact_sheet(*source, flags.sheet);
  data::write_png(flags.out, sheet);
  fmt::print("{}: {}x{} pixels\n", flags.out.string(), sheet.width, sheet.height);
}

}  // namespace

void add_data_preview(CLI::App& data) {
  CLI::App* const command = data.add_subcommand("preview", "Draw samples beside their augmented appearances");
  const auto flags = std::make_shared<PreviewFlags>();
  command->add_option("--data", flags->data, "Data set, image folder or pack; `convoy data list` shows the known ones")
      ->required()
      ->type_name("NAME");
  add_source_flags(*command, flags->source);
  add_pack_flag(*command, flags->source);
  add_augment_flags(*command, flags->augment);
  command->add_option("--samples", flags->sheet.samples, "Rows of the sheet")->capture_default_str();
  command->add_option("--appearances", flags->sheet.appearances, "Augmented images beside each original")
      ->capture_default_str();
  command->add_option("--seed", flags->sheet.seed, "Of the samples' order and of augmentation")->capture_default_str();
  command->add_option("--out", flags->out, "The picture, a PNG file")->type_name("FILE")->capture_default_str();
  command->footer(
      "Example:\n  convoy data preview --data cifar10 --augment cifar --cutout 16 --samples 8 --out sheet.png");
  command->callback([flags] { preview(*flags); });
}

}  // namespace convoy::cli
