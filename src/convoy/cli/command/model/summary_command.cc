#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <ranges>

#include "convoy/base/error.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/command/model/model_summary.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/models/stack.h"
#include "convoy/report/render/renderers.h"

namespace convoy::cli {
namespace {

struct Flags {
  std::vector<std::string> models;
  ModelFlags model;
  std::vector<std::string> stacks;
  std::optional<std::string> filters;
  std::int64_t batch = 32;
  std::string format = "text";
  bool json = false;
};

bool is_inception_module(const std::string& model) { return model.starts_with("inception-"); }

std::vector<ModelSummary> summaries_of(const Flags& flags) {
  std::vector<std::string> names = flags.models;
  if (!flags.model.model.empty()) names.insert(names.begin(), flags.model.model);
  if (names.empty() && flags.stacks.empty()) {
    throw UserError("give a network, or several to compare: `convoy summary resnet20`; or --stack WINDOWS");
  }
  if (flags.filters && !std::ranges::any_of(names, is_inception_module)) {
    throw UserError("--filters is for inception-naive and inception-reduced");
  }
  std::vector<ModelSummary> summaries;
  for (const std::string& name : names) {
    ModelFlags model = flags.model;
    model.model = name;
    if (is_inception_module(name)) model.filters = flags.filters;
    summaries.emplace_back(name, build_model(model), flags.batch);
  }
  if (!flags.stacks.empty() && flags.model.classes) throw UserError("--stack has no classes; leave --classes out");
  const Shape input = flags.model.input ? Shape::parse(*flags.model.input) : Shape();
  for (const std::string& stack : flags.stacks) {
    summaries.emplace_back("stack " + stack, stack_of_windows(stack, input), flags.batch);
  }
  return summaries;
}

// Several networks are shown side by side; only a single one is shown with its layers.
std::string terminal_text(const std::vector<ModelSummary>& summaries) {
  if (summaries.size() > 1) return report::to_plain_text(side_by_side(summaries));
  const ModelSummary& summary = summaries.front();
  const report::Section section = summary.section("", SummaryForm::terminal);
  // A stack is looked at for its receptive field, so that comes first.
  const std::string field =
      summary.model().starts_with("stack ") ? fmt::format("receptive field  {}\n\n", summary.field()) : "";
  return field + report::to_plain_text(section) + "\n" + report::to_plain_text(summary_words(SummaryForm::terminal));
}

report::Document summary_document(const std::vector<ModelSummary>& summaries) {
  report::Document document{.title = summaries.size() > 1 ? "Networks side by side" : summaries.front().title()};
  if (summaries.size() > 1) document.sections.push_back(side_by_side(summaries));
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const std::string id = summaries.size() > 1 ? fmt::format("n{}-", i + 1) : "";
    document.sections.push_back(summaries[i].section(id, SummaryForm::page));
  }
  if (summaries.size() == 1) document.sections.front().title = "Layers";
  document.sections.push_back(summary_words(SummaryForm::page));
  return document;
}

std::string json_text(const std::vector<ModelSummary>& summaries) {
  if (summaries.size() == 1) return summaries.front().json().dump(2) + "\n";
  nlohmann::ordered_json models = nlohmann::ordered_json::array();
  for (const ModelSummary& summary : summaries) models.push_back(summary.json());
  return nlohmann::ordered_json{{"models", models}, {"comparison", comparison_json(summaries)}}.dump(2) + "\n";
}

std::string csv_text(const std::vector<ModelSummary>& summaries) {
  if (summaries.size() == 1) return summaries.front().csv();
  return report::to_csv(std::get<report::Table>(side_by_side(summaries, SummaryForm::file).blocks.back()));
}

void run_summary(const Flags& flags) {
  if (flags.batch < 1) throw UserError("--batch must be at least 1, got {}", flags.batch);
  const std::string format = flags.json ? "json" : flags.format;
  const std::vector<ModelSummary> summaries = summaries_of(flags);
  if (format == "text") {
    fmt::print("{}", terminal_text(summaries));
  } else if (format == "md") {
    fmt::print("{}", report::to_markdown(summary_document(summaries), std::numeric_limits<std::size_t>::max()));
  } else if (format == "csv") {
    fmt::print("{}", csv_text(summaries));
  } else if (format == "json") {
    fmt::print("{}", json_text(summaries));
  } else if (format == "html") {
    fmt::print("{}", report::to_html(summary_document(summaries)));
  } else {
    throw UserError("--format is text, md, csv, json or html, got {}", format);
  }
}

void add_flags(CLI::App& command, Flags& flags) {
  command.add_option("MODEL", flags.models, "Networks of the zoo, or files; several are compared with the first")
      ->type_name("NAME");
  add_model_flags(command, flags.model);
  command.get_option("--model")->required(false);
  command
      .add_option("--stack", flags.stacks,
                  "Instead of a model: convolutions on top of each other, such as 5x5,3x3/2,3x3d2 (stride, dilation)")
      ->type_name("WINDOWS")
      ->take_all();
  command
      .add_option("--filters", flags.filters,
                  "Of the inception modules, such as 1x1=64,3x3=128,5x5=32,reduce3x3=96,reduce5x5=16,pool=32")
      ->type_name("COUNTS");
  command.add_option("--batch", flags.batch, "Images one worker trains on at once, for the memory estimate")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--format", flags.format, "text, md, csv, json or html, all written to standard output")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_flag("--json", flags.json, "The same as --format json");
}

}  // namespace

void add_summary_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("summary", "Show a network layer by layer: shapes, parameters, arithmetic, memory");
  const auto flags = std::make_shared<Flags>();
  add_flags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  convoy summary vgg19 --input 3x64x64 --classes 200 --batch 64\n"
      "  convoy summary inception-naive inception-reduced\n"
      "  convoy summary mine.toml --format html > mine.html\n"
      "  convoy summary --stack 5x5,5x5,5x5");
  command->callback([flags] { run_summary(*flags); });
}

}  // namespace convoy::cli
