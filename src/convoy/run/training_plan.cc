#include "convoy/run/training_plan.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/utf8.h"
#include "convoy/data/augment/augment_options.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source_spec.h"
#include "convoy/data/source/subset_source.h"
#include "convoy/run/fair_threads.h"
#include "convoy/run/named_network.h"
#include "convoy/train/parameter_patterns.h"

namespace convoy {
namespace {

void require_names(const TrainSettings& settings) {
  if (settings.data.empty()) throw UserError("--data is missing: what to train on; `convoy data list` shows data sets");
  if (settings.model.empty()) throw UserError("--model is missing: what to train; `convoy models` lists networks");
  require_threads(settings.threads.value_or(1));
}

// A network as text may name its own loss; asking for another one would otherwise be ignored silently.
void require_loss(const Graph& graph, const TrainSettings& settings, const ModelOptions& options) {
  const Operator& loss = graph.layer(graph.output()).op;
  if (!is_loss(loss)) {
    throw UserError("{} has no loss and cannot be trained; `convoy summary` shows it{}", settings.model,
                    settings.network.empty() ? "" : "; {loss = \"loss\"} as its last layer makes it trainable");
  }
  const auto* const entropy = std::get_if<op::SoftmaxCrossEntropy>(&loss);
  if ((entropy != nullptr) != (options.loss == Loss::cross_entropy)) {
    throw UserError("{} has the loss {} and --loss is {}; give that, or write {{loss = \"{}\"}} to leave it to --loss",
                    settings.model, kind_of(loss), settings.loss, graph.layer(graph.output()).name);
  }
  if (entropy != nullptr && options.label_smoothing != 0 && entropy->label_smoothing != options.label_smoothing) {
    throw UserError("{} has a label_smoothing of {} of its own; leave --label-smoothing out", settings.model,
                    entropy->label_smoothing);
  }
}

// If the network is in a file, reads it and keeps its text in `settings`; the file is not needed afterwards.
Graph build_graph(TrainSettings& settings, const data::Source& source) {
  const auto classes = static_cast<int>(source.classes().size());
  const ModelOptions options = model_options(settings, source.shape(), classes);
  const NamedNetwork network =
      settings.network.empty() ? open_network(settings.model) : kept_network(settings.model, settings.network);
  Graph graph = build_network(network, options);
  settings.model = network.name;
  settings.network = network.text;
  require_loss(graph, settings, options);
  return graph;
}

// Class names become metadata of the weights, which is JSON.
void require_utf8(const std::vector<std::string>& classes) {
  for (const std::string& name : classes) {
    if (!is_utf8(name)) throw DataError("the name of the class '{}' is no UTF-8; rename it", quoted_text(name));
  }
}

bool has_batch_norm(const Graph& graph) {
  return std::ranges::any_of(graph.layers(),
                             [](const Layer& layer) { return std::holds_alternative<op::BatchNorm>(layer.op); });
}

data::SourceOptions training_source_options(const TrainSettings& settings, const Remarks& remarks) {
  data::SourceOptions options = source_options(settings.source, remarks);
  options.pack = data::PackUse::automatic;
  return options;
}

}  // namespace

std::unique_ptr<data::Source> open_training_source(const TrainSettings& settings, const Remarks& remarks) {
  require_names(settings);
  return data::take_subset(
      data::open_source(data::find_source(settings.data).text, training_source_options(settings, remarks)),
      {.train = settings.train_samples, .test = settings.test_samples, .seed = settings.source.split_seed});
}

TrainingPlan plan_training(TrainSettings& settings, int workers, const Remarks& remarks) {
  return plan_training(settings, workers, open_training_source(settings, remarks));
}

TrainingPlan plan_training(TrainSettings& settings, int workers, std::shared_ptr<data::Source> source) {
  require_names(settings);
  settings.data = data::find_source(settings.data).text;
  TrainingPlan plan;
  plan.workers = workers;
  plan.source = std::move(source);
  require_utf8(plan.source->classes());
  plan.graph = build_graph(settings, *plan.source);
  plan.precision = data_type_named(settings.precision);
  resolve(settings, has_batch_norm(plan.graph), workers);
  plan.trainer = trainer_options(settings, workers);
  data::validate_for(plan.trainer.augment, plan.source->shape());
  data::validate(plan.trainer.mix);
  const std::int64_t samples = plan.source->size(data::Split::train);
  check_options(plan.trainer, samples, workers);
  plan.reducer = reducer_options(settings);
  plan.dense = dense_exchange_options(settings, workers);
  check_options(plan.dense, plan.graph);
  plan.optimizer = optimizer_options(settings);
  plan.schedule = schedule_options(settings, steps_of_epoch(plan.trainer, samples), workers);
  plan.checkpoints = checkpoint_plan(settings);
  if (!settings.freeze.empty()) plan.frozen = matching_parameters(plan.graph, settings.freeze);
  plan.card = {.model = settings.model,
               .network = settings.network,
               .input = plan.source->shape(),
               .classes = plan.source->classes(),
               .loss = settings.loss,
               .statistics = plan.source->statistics(),
               .precision = plan.precision};
  return plan;
}

}  // namespace convoy
