#include "model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

#include "convoy/base/error.h"
#include "convoy/checkpoint/safetensors.h"
#include "convoy/data/loader/sampler.h"
#include "convoy/graph/network_text.h"
#include "convoy/run/fair_threads.h"
#include "convoy/run/imported_model.h"
#include "convoy/run/trained_model.h"
#include "convoy/run/user_folders.h"
#include "convoy/train/tally.h"
#include "convoy/train/weight_names.h"
#include "ranks.h"

namespace convoy::python {
namespace {

const Layer& loss_of(const Graph& graph) {
  if (graph.size() == 0 || !is_loss(graph.layer(graph.output()).op)) {
    throw UserError("the network has no loss and cannot be trained; softmax_cross_entropy(x) as its last layer is one");
  }
  return graph.layer(graph.output());
}

bool is_cross_entropy(const Graph& graph) { return std::holds_alternative<op::SoftmaxCrossEntropy>(loss_of(graph).op); }

// Classes without names get numbers as names, and the text of a network that is not in the zoo is added.
ModelCard completed(ModelCard card, const Graph& graph, std::int64_t classes) {
  if (card.model.empty()) card.model = "network";
  if (card.network.empty() && card.model == "network") card.network = network_text(graph);
  card.input = graph.layer(0).shape;
  card.loss = is_cross_entropy(graph) ? "cross-entropy" : "mean-squared-error";
  if (card.classes.empty()) {
    for (std::int64_t i = 0; i < classes; ++i) card.classes.push_back(std::to_string(i));
  }
  if (std::ssize(card.classes) != classes) {
    throw UserError("{} names for the {} classes of the network", card.classes.size(), classes);
  }
  const auto channels = static_cast<std::size_t>(card.input[0]);
  if (card.statistics.mean.empty())
    card.statistics = {std::vector<float>(channels, 0), std::vector<float>(channels, 1)};
  return card;
}

void to_probabilities(std::span<float> scores) {
  const float most = std::ranges::max(scores);
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - most);
  for (float& score : scores) score /= sum;
}

std::vector<std::int64_t> all_rows(const Images& images) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(images.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

Model::Model(Graph graph, ModelCard card, const ModelSettings& settings)
    : settings_(settings), cache_(tuning_cache_file()) {
  if (settings.batch < 1) throw UserError("batch must be at least 1, got {}", settings.batch);
  Communicator& communicator = ranks();
  const Layer& loss = loss_of(graph);
  classes_ = graph.layer(loss.inputs.at(0)).shape.count();
  card_ = completed(std::move(card), graph, classes_);
  card_.precision = data_type_named(settings.precision);
  threads_ = choose_threads({.exactly = settings.threads}, fair_threads(communicator)).threads;
  Plan plan = compile_together(communicator, [&](const Choices* choices) {
    return compile(graph, {.batch = (settings.batch + communicator.size() - 1) / communicator.size(),
                           .threads = threads_,
                           .exact = settings.exact,
                           .precision = card_.precision,
                           .cache = &cache_,
                           .choices = choices});
  });
  trained_ = std::make_unique<ReplicaNetwork>(
      communicator, graph, std::move(plan),
      ReplicaNetworkOptions{.optimizer = settings.optimizer, .decay_all = settings.decay_all});
  if (!trained_->optimizer->squares().empty()) {
    throw UserError("lars and lamb look at whole layers and are for convoy.train(); take another optimizer here");
  }
  trained_->network.parameters().initialise(graph, initialiser_named(settings.initialiser), settings.seed);
}

void Model::set_statistics(data::ChannelStatistics statistics) {
  const auto channels = static_cast<std::size_t>(card_.input[0]);
  if (statistics.mean.size() != channels || statistics.deviation.size() != channels) {
    throw UserError("mean and deviation have a number for each of the {} channels", channels);
  }
  if (std::ranges::any_of(statistics.deviation, [](float value) { return !(value > 0); })) {
    throw UserError("deviations are above 0");
  }
  card_.statistics = std::move(statistics);
}

void Model::require_truth(const Truth& truth, std::int64_t rows) const {
  if (has_targets()) return;  // their shape was checked
  const std::span<const std::int64_t> labels = truth.labels;
  if (std::ssize(labels) != rows) throw UserError("{} labels for {} images", labels.size(), rows);
  const auto wrong = std::ranges::find_if(labels, [&](std::int64_t label) { return label < 0 || label >= classes_; });
  if (wrong == labels.end()) return;
  throw UserError("label {} of sample {} is none of the {} classes, 0 to {}", *wrong, wrong - labels.begin(), classes_,
                  classes_ - 1);
}

void Model::fill_images(const Images& images, std::span<const std::int64_t> rows, std::span<float> input) const {
  const auto count = static_cast<std::size_t>(card_.input.count());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    images.read(rows[i], card_.statistics, input.subspan(i * count, count));
  }
}

void Model::fill(const Images& images, const Truth& truth, std::span<const std::int64_t> rows, Network& network) const {
  fill_images(images, rows, network.input());
  const auto width = static_cast<std::size_t>(classes_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    if (has_targets()) {
      std::ranges::copy(truth.targets.subspan(row * width, width), network.targets().subspan(i * width).begin());
    } else {
      network.labels()[i] = static_cast<std::int32_t>(truth.labels[row]);
    }
  }
}

CompileOptions Model::options() const {
  return {.batch = settings_.batch, .threads = threads_, .exact = settings_.exact, .precision = card_.precision};
}

// A rank without rows still takes part in the sums over all ranks.
void Model::compute_gradients(std::int64_t rows_of_all, std::int64_t first) {
  Network& network = trained_->network;
  network.forward({.seed = settings_.seed,
                   .step = static_cast<std::uint64_t>(steps_),
                   .first_sample = static_cast<std::uint64_t>(first),
                   .gradient_scale = 1.0F / static_cast<float>(rows_of_all)});
  network.backward([&](const ArenaSlice& slice) { trained_->replica.reducer().ready(slice.end()); });
}

double Model::step(const Images& images, const Truth& truth, std::span<const std::int64_t> rows, double learning_rate) {
  require_truth(truth, images.rows());
  const std::int64_t total = std::ssize(rows);
  if (total < 1 || total > settings_.batch)
    throw UserError("a step takes 1 to {} rows, got {}", settings_.batch, total);
  const auto wrong = std::ranges::find_if(rows, [&](std::int64_t row) { return row < 0 || row >= images.rows(); });
  if (wrong != rows.end()) throw UserError("there is no row {} among {} images", *wrong, images.rows());
  Communicator& communicator = ranks();
  const data::Slice own = data::slice_of_rank(total, communicator.rank(), communicator.size());
  Network& network = trained_->network;
  ParameterStore& store = network.parameters();
  GradientReducer& reducer = trained_->replica.reducer();
  trained_->optimizer->begin_step(learning_rate);
  reducer.begin_step(
      [&](const ArenaSlice& slice) {
        trained_->optimizer->update(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                                    store.gradients().subspan(slice.offset, slice.count), 1.0F, store.copies(slice));
      },
      steps_);
  double loss_sum = 0;
  if (own.count > 0) {
    network.use_batch(own.count);
    fill(images, truth, rows.subspan(static_cast<std::size_t>(own.begin), static_cast<std::size_t>(own.count)),
         network);
    compute_gradients(total, own.begin);
    loss_sum = network.loss() * static_cast<double>(own.count);
  } else {
    std::ranges::fill(store.gradients(), 0.0F);
    reducer.ready(store.gradients().size());
  }
  reducer.finish();
  average_over(communicator, store.statistics(), Algorithm::hierarchical);
  ++steps_;
  predictor_is_new_ = true;
  return communicator.sum(loss_sum) / static_cast<double>(total);
}

double Model::gradients(const Images& images, const Truth& truth, std::vector<NamedTensor>& found) {
  require_truth(truth, images.rows());
  Network& network = trained_->network;
  network.use_batch(images.rows());
  fill(images, truth, all_rows(images), network);
  network.forward();
  network.backward();
  const auto parameters = parameters_of(graph());
  for (int i = 0; i < static_cast<int>(parameters.size()); ++i) {
    const Parameter& parameter = parameters[static_cast<std::size_t>(i)];
    found.push_back({parameter.name, parameter.shape, network.parameters().plain_gradient(i)});
  }
  return network.loss();
}

// All parameters are frozen, so that only the gradient of the samples is computed.
void Model::input_gradient(const Images& images, const Truth& truth, std::span<float> gradient) {
  require_truth(truth, images.rows());
  CompileOptions compile = options();
  compile.cache = &cache_;
  compile.batch = images.rows();
  compile.input_gradient = true;
  for (const Parameter& parameter : parameters_of(graph())) compile.frozen.insert(parameter.name);
  Network network(graph(), compile);
  import_weights(weights(), network.parameters());
  fill(images, truth, all_rows(images), network);
  network.forward();
  network.backward();
  std::ranges::copy(network.input_gradient(), gradient.begin());
}

std::vector<NamedTensor> Model::outputs(const Images& images, const std::set<std::string>& layers) {
  CompileOptions compile = options();
  compile.cache = &cache_;
  compile.batch = images.rows();
  compile.training = false;
  compile.kept = layers;
  Network network(graph(), compile);
  import_weights(weights(), network.parameters());
  fill_images(images, all_rows(images), network.input());
  network.forward();
  std::vector<NamedTensor> found;
  for (const Layer& layer : graph().layers()) {
    if (!layers.contains(layer.name)) continue;
    std::vector<std::int64_t> dims = layer.shape.dims();
    dims.insert(dims.begin(), images.rows());
    const auto values = network.output_of(layer.name);
    found.push_back({layer.name, Shape(dims), std::vector<float>(values.begin(), values.end())});
  }
  return found;
}

Predictor& Model::predictor() {
  if (!predictor_) {
    predictor_ = std::make_unique<Predictor>(graph(), CompileOptions{.batch = settings_.batch,
                                                                     .threads = threads_,
                                                                     .exact = settings_.exact,
                                                                     .precision = card_.precision,
                                                                     .cache = &cache_});
  }
  if (std::exchange(predictor_is_new_, false)) predictor_->load(trained_->network.parameters());
  return *predictor_;
}

// Calls visit(first row, rows) after each batch was predicted.
template <typename Visit>
void Model::each_batch(const Images& images, const Visit& visit) {
  Predictor& predicts = predictor();
  std::vector<std::int64_t> rows;
  for (std::int64_t first = 0; first < images.rows(); first += settings_.batch) {
    rows.resize(static_cast<std::size_t>(std::min(settings_.batch, images.rows() - first)));
    std::iota(rows.begin(), rows.end(), first);
    predicts.use_batch(std::ssize(rows));
    fill_images(images, rows, predicts.input());
    predicts.forward();
    visit(first, std::ssize(rows));
  }
}

void Model::predict(const Images& images, bool as_probabilities, std::span<float> scores) {
  const auto classes = static_cast<std::size_t>(classes_);
  each_batch(images, [&](std::int64_t first, std::int64_t rows) {
    std::ranges::copy(predictor_->logits(), scores.begin() + first * classes_);
    if (!as_probabilities || !is_cross_entropy(graph())) return;
    for (std::int64_t row = first; row < first + rows; ++row) {
      to_probabilities(scores.subspan(static_cast<std::size_t>(row) * classes, classes));
    }
  });
}

Score Model::evaluate(const Images& images, std::span<const std::int64_t> labels) {
  if (has_targets())
    throw UserError("evaluate() counts correct classes, but the loss takes float targets; use predict()");
  require_truth({.labels = labels, .targets = {}}, images.rows());
  Tally tally(static_cast<int>(classes_),
              is_cross_entropy(graph()) ? LossKind::cross_entropy : LossKind::mean_squared_error);
  std::vector<std::int32_t> classes;
  each_batch(images, [&](std::int64_t first, std::int64_t rows) {
    const auto own = labels.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows));
    classes.assign(own.begin(), own.end());
    tally.add(predictor_->logits(), classes);
  });
  return {.loss = tally.metrics().loss, .accuracy = tally.metrics().top1};
}

std::vector<NamedTensor> Model::weights() const { return export_weights(trained_->network.parameters()); }

void Model::set_weights(std::span<const NamedTensor> tensors) {
  import_weights(tensors, trained_->network.parameters());
  predictor_is_new_ = true;
}

WeightTransfer Model::take_weights(const std::string& path) {
  TensorFile file = read_any_weights(path, [](const std::string&) {});
  const FittedNames fitted = fit_names(std::move(file.tensors), weights());
  predictor_is_new_ = true;
  return transfer_weights(fitted.tensors, trained_->network.parameters());
}

void Model::save(const std::string& path) const {
  if (ranks().rank() != 0) return;
  Metadata metadata = to_metadata(card_);
  metadata["step"] = std::to_string(steps_);
  write_safetensors(path, weights(), metadata);
}

std::string Model::onnx(const ExportOptions& options) const {
  TrainedModel model{.card = card_, .provenance = {}, .graph = graph(), .weights = make_parameter_store(graph())};
  import_weights(weights(), *model.weights);
  return export_onnx(model, options);
}

std::unique_ptr<Model> load_model(const std::string& path, const ModelSettings& settings, const OnNote& on_note) {
  TrainedModel trained = open_trained_model(path, on_note);
  auto model = std::make_unique<Model>(trained.graph, trained.card, settings);
  model->set_weights(export_weights(*trained.weights));
  return model;
}

}  // namespace convoy::python
