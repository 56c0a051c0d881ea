#include "convoy/run/session.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/graph/initialisation.h"
#include "convoy/kernels/device.h"
#include "convoy/run/imported_model.h"
#include "convoy/run/user_folders.h"
#include "convoy/train/dense_exchange.h"
#include "convoy/train/network_weights.h"
#include "convoy/train/weight_names.h"

namespace convoy {
namespace {

constexpr std::int64_t kLargestEvaluationBatch = 256;

const Choices* given(const Choices& choices) { return choices.empty() ? nullptr : &choices; }

CompileOptions training_options(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
                                TuningCache& cache, const Communicator& communicator) {
  return {.batch = rows_of_piece(plan.trainer, communicator.size()),
          .threads = settings.threads.value(),
          .exact = settings.exact,
          .precision = plan.precision,
          .cache = &cache,
          .choices = given(choices.training),
          .frozen = plan.frozen,
          .by_rows = layers_to_divide(plan.dense, plan.graph, communicator.nodes().node_count())};
}

EvaluatorOptions evaluation_options(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
                                    TuningCache& cache) {
  return {.compile = {.batch = std::min(rows_of_step(plan.trainer), kLargestEvaluationBatch),
                      .threads = settings.threads.value(),
                      .exact = settings.exact,
                      .precision = plan.precision,
                      .cache = &cache,
                      .choices = given(choices.evaluation)},
          .loader_threads = settings.loader_threads};
}

// Gradients are exchanged in the layouts of the kernels, so all ranks must have the same. The first rank decides while
// the others wait.
RunChoices receive_choices(Communicator& communicator) {
  const std::string training = communicator.broadcast(std::string());
  const std::string evaluation = communicator.broadcast(std::string());
  return {.training = choices_from_json(training), .evaluation = choices_from_json(evaluation)};
}

ReducerOptions with(ReducerOptions options, Timeline& timeline) {
  options.timeline = &timeline;
  return options;
}

// The other ranks are told only after both plans are compiled: their own computations would disturb the first rank's
// measurements.
Plan agreed_on(Communicator& communicator, Plan compiled, const Evaluator& evaluator) {
  if (communicator.rank() == 0) {
    (void)communicator.broadcast(choices_to_json(compiled.choices));
    (void)communicator.broadcast(choices_to_json(evaluator.choices()));
  }
  return compiled;
}

WeightTransfer transfer_from(const std::string& path, ParameterStore& store, const Remarks& remarks) {
  TensorFile file = read_any_weights(path, [&](const std::string& note) { remarks.note(note); });
  const FittedNames fitted = fit_names(std::move(file.tensors), export_weights(store));
  if (!fitted.notes.empty()) remarks.note(fmt::format("{}: {}", path, fmt::join(fitted.notes, ", ")));
  try {
    return transfer_weights(fitted.tensors, store);
  } catch (const DataError& error) {
    throw DataError("--init: {}: {}", path, error.what());
  }
}

std::string names_text(const char* heading, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  if (names.empty()) return {};
  std::string text = fmt::format("; {}", heading);
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i == 0 ? " " : ", ") + quoted_text(names[i]);
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

}  // namespace

Session::Session(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
                 Communicator& communicator, const Remarks& said_to)
    : remarks(said_to),
      cache(tuning_cache_file()),
      agreed(communicator.rank() == 0 ? choices : receive_choices(communicator)),
      evaluator(plan.graph, *plan.source, evaluation_options(plan, settings, agreed, cache)),
      trained(communicator, plan.graph,
              agreed_on(communicator,
                        compile(plan.graph, training_options(plan, settings, agreed, cache, communicator)), evaluator),
              {.reducer = with(plan.reducer, timeline),
               .optimizer = plan.optimizer,
               .decay_all = settings.decay_all,
               .dense = plan.dense}) {
  if (plan.precision == DataType::bf16 && !kernels::has_bf16_instructions()) {
    remarks.note("this processor has no instructions for bf16: training will be slower than with --precision fp32");
  }
  for (const std::string& note : cache.notes()) remarks.note(note);
  for (const std::string& note : trained.dense->notes()) remarks.news(note);
  trained.network.parameters().initialise(plan.graph, initialiser_named(settings.initialiser), settings.seed);
}

void Session::start_from(const std::string& path) {
  const WeightTransfer transfer = transfer_from(path, trained.network.parameters(), remarks);
  if (transfer.taken == 0) throw UserError("--init: {} holds no tensor that fits the model", path);
  remarks.note(fmt::format("{}: {} tensors taken{}{}", path, transfer.taken,
                           names_text("start afresh:", transfer.kept_fresh), names_text("not used:", transfer.unused)));
}

RunChoices Session::choices() const {
  return {.training = trained.network.choices(), .evaluation = evaluator.choices()};
}

}  // namespace convoy
