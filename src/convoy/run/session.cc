#include "convoy/run/session.h"

#include <fmt/core.h>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/checkpoint/weights.h"
#include "convoy/graph/initialisation.h"
#include "convoy/run/user_folders.h"
#include "convoy/train/network_weights.h"
#include "convoy/train/replica_network.h"

namespace convoy {
namespace {

constexpr std::int64_t kLargestEvaluationBatch = 256;

const Choices* given(const Choices& choices) { return choices.empty() ? nullptr : &choices; }

CompileOptions training_options(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
                                TuningCache& cache, int workers) {
  return {.batch = rows_of_piece(plan.trainer, workers),
          .threads = settings.threads.value(),
          .exact = settings.exact,
          .cache = &cache,
          .choices = given(choices.training),
          .frozen = plan.frozen};
}

EvaluatorOptions evaluation_options(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
                                    TuningCache& cache) {
  return {.compile = {.batch = std::min(rows_of_step(plan.trainer), kLargestEvaluationBatch),
                      .threads = settings.threads.value(),
                      .exact = settings.exact,
                      .cache = &cache,
                      .choices = given(choices.evaluation)},
          .loader_threads = settings.loader_threads};
}

// Weights decay; biases, scales and shifts do not, unless they were asked to.
std::optional<std::vector<DecayRange>> decay_ranges(const ParameterTable& table, bool decay_all) {
  if (decay_all) return std::nullopt;
  std::vector<DecayRange> ranges;
  for (const int index : table.readiness) {
    const ParameterEntry& entry = table.entries[static_cast<std::size_t>(index)];
    if (!table.trainable(index)) continue;
    if (entry.parameter.role == ParameterRole::weight) ranges.push_back({entry.slice.offset, entry.slice.count});
  }
  return ranges;
}

// Gradients are exchanged in the layout of the kernels, so all ranks have the same. The first one decides while the
// others wait.
RunChoices receive_choices(Communicator& communicator) {
  const std::string training = communicator.broadcast(std::string());
  const std::string evaluation = communicator.broadcast(std::string());
  return {.training = choices_from_json(training), .evaluation = choices_from_json(evaluation)};
}

ReducerOptions with(ReducerOptions options, Timeline& timeline) {
  options.timeline = &timeline;
  return options;
}

const Plan& agree(Communicator& communicator, const Plan& compiled, const Evaluator& evaluator) {
  if (communicator.rank() == 0) {
    (void)communicator.broadcast(choices_to_json(compiled.choices));
    (void)communicator.broadcast(choices_to_json(evaluator.choices()));
  }
  return compiled;
}

WeightTransfer transfer_from(const std::string& path, ParameterStore& store, const Remarks& remarks) {
  const TensorFile file = read_weights(path, [&](const std::string& note) { remarks.note(note); });
  try {
    return transfer_weights(file.tensors, store);
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
      compiled(compile(plan.graph, training_options(plan, settings, agreed, cache, communicator.size()))),
      replica(make_replica(communicator, agree(communicator, compiled, evaluator), with(plan.reducer, timeline))),
      network(network_in(*replica, plan.graph, std::move(compiled))),
      optimizer(make_optimizer(plan.optimizer, network.parameters().table().trainable_floats,
                               decay_ranges(network.parameters().table(), settings.decay_all))) {
  for (const std::string& note : cache.notes()) remarks.note(note);
  network.parameters().initialise(plan.graph, initialiser_named(settings.initialiser), settings.seed);
}

void Session::start_from(const std::string& path) {
  const WeightTransfer transfer = transfer_from(path, network.parameters(), remarks);
  if (transfer.taken == 0) throw UserError("--init: {} holds no tensor that fits the model", path);
  remarks.note(fmt::format("{}: {} tensors taken{}{}", path, transfer.taken,
                           names_text("start afresh:", transfer.kept_fresh), names_text("not used:", transfer.unused)));
}

RunChoices Session::choices() const { return {.training = network.choices(), .evaluation = evaluator.choices()}; }

}  // namespace convoy
