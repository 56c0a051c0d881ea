#include "convoy/cli/command/model/eval_command.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source_spec.h"
#include "convoy/run/fair_threads.h"
#include "convoy/run/settings/kept_settings.h"
#include "convoy/run/settings/train_settings.h"
#include "convoy/run/trained_model.h"
#include "convoy/run/user_folders.h"
#include "convoy/train/evaluator.h"

namespace convoy::cli {
namespace {

constexpr std::size_t kMostRows = 20;

struct Mistake {
  int is = 0;
  int taken_for = 0;
  std::int64_t samples = 0;
};

std::vector<Mistake> mistakes_of(const Tally& tally) {
  std::vector<Mistake> mistakes;
  for (int row = 0; row < tally.classes(); ++row) {
    for (int column = 0; column < tally.classes(); ++column) {
      if (row != column && tally.confused(row, column) > 0)
        mistakes.push_back({row, column, tally.confused(row, column)});
    }
  }
  std::ranges::stable_sort(mistakes, std::greater{}, &Mistake::samples);
  return mistakes;
}

std::int64_t samples_of(const Tally& tally, int row) {
  std::int64_t sum = 0;
  for (int column = 0; column < tally.classes(); ++column) sum += tally.confused(row, column);
  return sum;
}

}  // namespace

std::string EvaluationReport::text() const {
  const Metrics m = tally_.metrics();
  std::string text = fmt::format("{} images\nloss   {:.4f}\ntop-1  {:.2f} % (error {:.2f} %)\n",
                                 grouped_text(m.samples), m.loss, 100 * m.top1, 100 * (1 - m.top1));
  if (tally_.classes() > 5) text += fmt::format("top-5  {:.2f} %\n", 100 * m.top5);
  return text + "\n" + class_table() + "\n" + confusion_table();
}

std::string EvaluationReport::class_table() const {
  const std::vector<double> accuracy = tally_.class_accuracy();
  std::vector<std::size_t> order(accuracy.size());
  std::iota(order.begin(), order.end(), 0);
  // Classes without samples come last.
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return std::isnan(accuracy[k]) ? 2.0 : accuracy[k]; });
  TextTable table({"class, worst first", "images", "right, %"});
  for (std::size_t i = 0; i < std::min(order.size(), kMostRows); ++i) {
    const std::size_t k = order[i];
    table.add_row({classes_[k], grouped_text(samples_of(tally_, static_cast<int>(k))),
                   std::isnan(accuracy[k]) ? "-" : fmt::format("{:.2f}", 100 * accuracy[k])});
  }
  std::string text = table.to_string();
  if (order.size() > kMostRows) text += fmt::format("and {} more classes (--json has all)\n", order.size() - kMostRows);
  return text;
}

std::string EvaluationReport::confusion_table() const {
  constexpr std::size_t kMostMistakes = 10;
  const std::vector<Mistake> mistakes = mistakes_of(tally_);
  if (mistakes.empty()) return "no mistakes\n";
  TextTable table({"class", "taken for", "images"});
  for (std::size_t i = 0; i < std::min(mistakes.size(), kMostMistakes); ++i) {
    const Mistake& mistake = mistakes[i];
    table.add_row({classes_[static_cast<std::size_t>(mistake.is)],
                   classes_[static_cast<std::size_t>(mistake.taken_for)], grouped_text(mistake.samples)});
  }
  std::string text = table.to_string();
  if (mistakes.size() > kMostMistakes) {
    text += fmt::format("and {} more kinds of mistakes (--json has all)\n", mistakes.size() - kMostMistakes);
  }
  return text;
}

std::string EvaluationReport::json() const {
  const Metrics m = tally_.metrics();
  const std::vector<double> accuracy = tally_.class_accuracy();
  nlohmann::ordered_json json = {{"samples", m.samples},
                                 {"loss", m.loss},
                                 {"top1", m.top1},
                                 {"top5", m.top5},
                                 {"error", 1 - m.top1},
                                 {"classes", nlohmann::json::array()},
                                 {"confusion", nlohmann::json::array()}};
  for (int row = 0; row < tally_.classes(); ++row) {
    const auto k = static_cast<std::size_t>(row);
    json["classes"].push_back({{"name", classes_[k]},
                               {"samples", samples_of(tally_, row)},
                               {"accuracy", std::isnan(accuracy[k]) ? nlohmann::json() : nlohmann::json(accuracy[k])}});
    std::vector<std::int64_t> columns;
    for (int column = 0; column < tally_.classes(); ++column) columns.push_back(tally_.confused(row, column));
    json["confusion"].push_back(columns);
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";  // class names need not be UTF-8
}

namespace {

namespace fs = std::filesystem;

struct EvalFlags {
  std::string run;
  std::string weights;
  std::string data;
  SourceSettings source;
  std::int64_t batch = 256;
  int threads = read_machine().usable_cores;
  std::string precision;  // empty: that of training
  bool json = false;
};

fs::path weights_path(const EvalFlags& flags) {
  if (flags.run.empty() == flags.weights.empty()) throw UserError("give either --run DIR or --weights FILE");
  return flags.run.empty() ? flags.weights : flags.run;
}

// A run is tested on the data it was trained on, with the same split, unless other data is given.
void take_data_of_run(EvalFlags& flags) {
  if (!flags.data.empty()) return;
  if (flags.run.empty()) throw UserError("--data is missing: a weights file does not say what to test it on");
  TrainSettings settings;
  const std::vector<Setting> list = train_setting_list(settings);
  read_run_settings(
      flags.run, list, [](const std::string&) { return false; }, Altered::not_looked_for, print_note);
  flags.data = settings.data;
  flags.source = settings.source;
}

// Classes may be called otherwise, but none may stand at another place: its samples would count as another class.
void require_same_places(const std::vector<std::string>& trained, const std::vector<std::string>& found,
                         const std::string& data) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto place = std::ranges::find(trained, found[i]);
    if (place == trained.end() || trained[i] == found[i]) continue;
    throw UserError(
        "class {} of {} is '{}', which was class {} when the network was trained; classes were added, "
        "removed or renamed since",
        i, data, found[i], place - trained.begin());
  }
}

std::unique_ptr<data::Source> open_test_data(const EvalFlags& flags, const ModelCard& card) {
  data::SourceOptions options = source_options(flags.source, terminal_remarks());
  if (options.image_size == 0 && data::has_image_files(data::find_source(flags.data).kind)) {
    options.image_size = card.input[1];
  }
  auto source = data::open_source(flags.data, options);
  if (source->shape() != card.input) {
    throw UserError("{} has images of {}, the network takes {}", flags.data, source->shape().to_string(),
                    card.input.to_string());
  }
  if (source->classes().size() != card.classes.size()) {
    throw UserError("{} has {} classes, the network tells {} apart", flags.data, source->classes().size(),
                    card.classes.size());
  }
  require_same_places(card.classes, source->classes(), flags.data);
  return source;
}

void run_eval(EvalFlags flags) {
  if (flags.batch < 1) throw UserError("--batch must be at least 1, got {}", flags.batch);
  require_threads(flags.threads);
  const TrainedModel model = open_trained_model(weights_path(flags), print_note);
  take_data_of_run(flags);
  const auto source = open_test_data(flags, model.card);
  const std::int64_t total = source->size(data::Split::test);
  TuningCache cache(tuning_cache_file());
  Evaluator evaluator(model.graph, *source,
                      {.compile = {.batch = std::min(flags.batch, total),
                                   .threads = flags.threads,
                                   .precision = precision_for(model.card, flags.precision),
                                   .cache = &cache},
                       .statistics = model.card.statistics});
  ProgressLine progress;
  const Tally tally = evaluator.run(*model.weights, [&](std::int64_t done) {
    progress.show("testing", fmt::format("{} of {}", done, total), done, total);
    return true;
  });
  progress.end();
  if (!std::isfinite(tally.metrics().loss)) refuse_scores_of(weights_path(flags));
  const EvaluationReport report(tally, model.card.classes);
  fmt::print("{}", flags.json ? report.json() : report.text());
}

}  // namespace

void add_eval_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("eval", "Test trained weights: loss, top-1, top-5, each class");
  const auto flags = std::make_shared<EvalFlags>();
  command->add_option("--run", flags->run, "Run folder: its best weights, on its data")->type_name("DIR");
  command->add_option("--weights", flags->weights, "Weights file of a run or checkpoint")->type_name("FILE");
  command->add_option("--data", flags->data, "Test on this data instead of the run's")->type_name("NAME");
  add_source_flags(*command, flags->source);
  command->add_option("--batch", flags->batch, "Images computed at once")->capture_default_str();
  command->add_option("--threads", flags->threads, "Threads to compute with; the cores of this machine if left out");
  add_precision_flag(*command, flags->precision);
  command->add_flag("--json", flags->json, "Print one JSON object, with the whole confusion matrix");
  command->footer("Example:\n  convoy eval --run runs/2026-11-16T0312-resnet20-fashion-mnist");
  command->callback([flags] { run_eval(*flags); });
}

}  // namespace convoy::cli
