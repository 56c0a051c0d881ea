#include "convoy/cli/command/model/eval_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/cli/command/model/evaluation_report.h"
#include "convoy/cli/settings/source_flags.h"
#include "convoy/cli/terminal/progress_line.h"
#include "convoy/cli/terminal/terminal_remarks.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source_spec.h"
#include "convoy/run/settings/kept_settings.h"
#include "convoy/run/settings/train_settings.h"
#include "convoy/run/trained_model.h"
#include "convoy/run/user_folders.h"
#include "convoy/train/evaluator.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

struct EvalFlags {
  std::string run;
  std::string weights;
  std::string data;
  SourceSettings source;
  std::int64_t batch = 256;
  int threads = read_machine().usable_cores;
  bool json = false;
};

fs::path weights_path(const EvalFlags& flags) {
  if (flags.run.empty() == flags.weights.empty()) throw UserError("give either --run DIR or --weights FILE");
  return flags.run.empty() ? flags.weights : flags.run;
}

// A run is tested on the data it was trained on, split as it was, unless other data is named.
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
  return source;
}

void run_eval(EvalFlags flags) {
  if (flags.batch < 1) throw UserError("--batch must be at least 1, got {}", flags.batch);
  if (flags.threads < 1) throw UserError("--threads must be at least 1, got {}", flags.threads);
  const TrainedModel model = open_trained_model(weights_path(flags), print_note);
  take_data_of_run(flags);
  const auto source = open_test_data(flags, model.card);
  const std::int64_t total = source->size(data::Split::test);
  TuningCache cache(tuning_cache_file());
  Evaluator evaluator(model.graph, *source,
                      {.compile = {.batch = std::min(flags.batch, total), .threads = flags.threads, .cache = &cache},
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
  command->add_flag("--json", flags->json, "Print one JSON object, with the whole confusion matrix");
  command->footer("Example:\n  convoy eval --run runs/2026-11-16T0312-resnet20-fashion-mnist");
  command->callback([flags] { run_eval(*flags); });
}

}  // namespace convoy::cli
