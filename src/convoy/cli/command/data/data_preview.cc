#include "convoy/cli/command/data/data_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/data/augment/contact_sheet.h"
#include "convoy/data/image/picture.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source_spec.h"
#include "convoy/run/settings/resolved_settings.h"
#include "convoy/run/settings/train_settings.h"

namespace convoy::cli {
namespace {

struct PreviewFlags {
  std::string data;
  SourceSettings source;
  AugmentSettings augment;
  data::ContactSheetOptions sheet;
  std::filesystem::path out = "sheet.png";
};

// Without the path, which means little to someone who looks at the picture.
std::string short_name(const data::SourceSpec& spec) {
  if (spec.kind == data::SourceKind::synthetic) return spec.text;
  if (spec.kind != data::SourceKind::folder && spec.kind != data::SourceKind::pack) return spec.name;
  return std::filesystem::weakly_canonical(spec.argument).filename().string();
}

// The heading says whether the images are varied as training would vary them by default.
void preview(PreviewFlags flags) {
  data::check_picture_name(flags.out);
  if (!flags.sheet.chosen.empty() && !flags.sheet.only_class.empty()) {
    throw UserError("--sample and --class both choose samples; give one of them");
  }
  const data::SourceSpec spec = data::find_source(flags.data);
  const std::string usual = default_augmentation(spec.kind);
  if (flags.augment.preset.empty()) flags.augment.preset = usual;
  const bool is_usual = augment_text(flags.augment) == usual;
  flags.sheet.augment = augment_options(flags.augment);
  if (is_usual) flags.sheet.heading = "as trained on";
  flags.sheet.title =
      fmt::format("{}, augment {}, seed {}", short_name(spec), augment_text(flags.augment), flags.sheet.seed);
  const auto source = data::open_source(spec.text, source_options(flags.source, terminal_remarks()));
  if (data::is_svg_name(flags.out)) {
    write_file_atomically(flags.out, data::contact_sheet_svg(*source, flags.sheet));
  } else {
    data::write_png(flags.out, data::draw_contact_sheet(*source, flags.sheet));
  }
  fmt::print("{}: augment {}, {}\n", printable_text(flags.out.string()), augment_text(flags.augment),
             is_usual ? "as training does by default" : fmt::format("where training's default is {}", usual));
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
  flags->augment.preset.clear();
  add_augment_flags(*command, flags->augment);
  flags->sheet.seed = TrainSettings{}.seed;
  command->add_option("--samples", flags->sheet.samples, "Rows of the sheet")->capture_default_str();
  command->add_option("--sample", flags->sheet.chosen, "These samples, by their places in the training data: 3,17,99")
      ->delimiter(',')
      ->type_name("N,N");
  command->add_option("--class", flags->sheet.only_class, "Samples of this class only")->type_name("NAME");
  command
      ->add_option("--side", flags->sheet.smallest_side,
                   "Images are enlarged, by a whole factor, to about this many pixels on their shorter side")
      ->type_name("PIXELS")
      ->capture_default_str();
  command->add_option("--appearances", flags->sheet.appearances, "Augmented images beside each original")
      ->capture_default_str();
  command->add_option("--seed", flags->sheet.seed, "Of the samples' order and of augmentation")->capture_default_str();
  command->add_option("--out", flags->out, "The picture, a PNG or SVG file")->type_name("FILE")->capture_default_str();
  command->footer(
      "A name that ends in .svg gives a file with type and images that stay sharp in print.\n\n"
      "Examples:\n"
      "  convoy data preview --data cifar10 --cutout 16 --samples 8 --out sheet.png\n"
      "  convoy data preview --data cifar10 --class frog --samples 4 --out frogs.svg");
  command->callback([flags] { preview(*flags); });
}

}  // namespace convoy::cli
