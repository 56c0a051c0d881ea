#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/number_text.h"
#include "convoy/base/text_table.h"
#include "convoy/graph/analysis.h"
#include "convoy/graph/network_text.h"
#include "convoy/models/zoo.h"
#include "convoy/run/named_network.h"

namespace convoy::cli {

namespace {

void print_json() {
  auto models = nlohmann::ordered_json::array();
  for (const ZooEntry& entry : zoo()) {
    const Analysis analysis = analyse(convoy::build_model(entry.name));
    models.push_back({{"name", entry.name},
                      {"input", entry.input.to_string()},
                      {"classes", entry.classes},
                      {"parameters", analysis.parameters()},
                      {"tensors", analysis.tensors},
                      {"multiply_adds", analysis.multiply_adds},
                      {"description", entry.description}});
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"models", models}}.dump(2));
}

void print_table() {
  TextTable table({"model", "input", "classes", "parameters", "multiply-adds", "description"});
  for (const ZooEntry& entry : zoo()) {
    const Analysis analysis = analyse(convoy::build_model(entry.name));
    table.add_row({entry.name, entry.input.to_string(), entry.classes > 0 ? grouped_text(entry.classes) : "-",
                   grouped_text(analysis.parameters()), grouped_text(analysis.multiply_adds), entry.description});
  }
  fmt::print("{}\n", table.to_string());
  fmt::print(
      "Input, classes: what a model is built for unless you say otherwise (--input, --classes); the numbers are for\n"
      "these. Multiply-adds: of convolutions and dense layers, forward, for one image.\n"
      "`convoy summary --model NAME` shows a model layer by layer, `convoy models --show NAME` as text for --model.\n");
}

}  // namespace

void add_models_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("models", "List the networks of the zoo and what they cost");
  struct Flags {
    bool json = false;
    std::string shown;
  };
  const auto flags = std::make_shared<Flags>();
  command->add_flag("--json", flags->json, "Print one JSON object instead of a table");
  command->add_option("--show", flags->shown, "Print this network as text, to change and to give to --model")
      ->type_name("NAME");
  command->footer("Examples:\n  convoy models\n  convoy models --show resnet20 > mine.toml");
  command->callback([flags] {
    if (!flags->shown.empty()) {
      fmt::print("{}", network_text(build_network(open_network(flags->shown))));
      return;
    }
    flags->json ? print_json() : print_table();
  });
}

}  // namespace convoy::cli
