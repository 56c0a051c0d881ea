#include "convoy/cli/command/data/data_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/number_text.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/data/install/dataset_catalog.h"
#include "convoy/data/source/open_source.h"

namespace convoy::cli {

namespace {

struct ListFlags {
  std::string data_dir;
  bool json = false;
};

std::string place_of(const std::string& name, const std::string& data_dir) {
  data::SourceOptions options;
  options.data_dir = data_dir;
  const auto place = data::find_dataset(data::parse_source_spec(name), options);
  return place ? place->string() : "";
}

void print_json(const std::string& data_dir) {
  auto sets = nlohmann::ordered_json::array();
  for (const data::Dataset& set : data::dataset_catalog()) {
    const std::string place = place_of(set.name, data_dir);
    sets.push_back({{"name", set.name},
                    {"description", set.description},
                    {"download_bytes", set.download_bytes},
                    {"installed", !place.empty()},
                    {"path", place}});
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"data_dir", data_dir}, {"datasets", sets}}.dump(2));
}

void print_table(const std::string& data_dir) {
  TextTable table({"name", "installed in", "download", "what it is"});
  for (const data::Dataset& set : data::dataset_catalog()) {
    const std::string place = place_of(set.name, data_dir);
    table.add_row(
        {set.name, place.empty() ? "-" : place, bytes_text(static_cast<double>(set.download_bytes)), set.description});
  }
  fmt::print("{}\n", table.to_string());
  fmt::print(
      "`convoy data get NAME` installs one. Besides these: folder:PATH (a sub-folder of images for each class),\n"
      "pack:FILE (made by `convoy data pack`) and synthetic:3x32x32,classes=10,count=50000 (computed, for "
      "measurements).\n"
      "NAME:PATH reads a known data set from any folder.\n");
}

}  // namespace

void add_data_list(CLI::App& data) {
  CLI::App* const command = data.add_subcommand("list", "List the known data sets and which of them are installed");
  const auto flags = std::make_shared<ListFlags>();
  add_data_dir_flag(*command, flags->data_dir);
  command->add_flag("--json", flags->json, "Print one JSON object instead of a table");
  command->footer("Example:\n  convoy data list");
  command->callback([flags] { flags->json ? print_json(flags->data_dir) : print_table(flags->data_dir); });
}

}  // namespace convoy::cli
