// A network that a script trains step by step and predicts with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "arrays.h"
#include "convoy/engine/predictor.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/run/exported_model.h"
#include "convoy/train/model_card.h"
#include "convoy/train/network_weights.h"
#include "convoy/train/replica_network.h"

namespace convoy::python {

struct ModelSettings {
  std::int64_t batch = 128;  // of all ranks together
  std::optional<int> threads;
  std::string precision = "fp32";
  bool exact = false;
  std::uint64_t seed = 1;
  std::string initialiser = "he-normal";
  OptimizerOptions optimizer;
  bool decay_all = false;
};

// What the network should give for the samples: their classes, or rows of floats where the loss takes targets.
struct Truth {
  std::span<const std::int64_t> labels;
  std::span<const float> targets;
};

struct Score {
  double loss = 0;
  double accuracy = 0;
};

// Every rank has one and calls the same functions with the same arrays. In a step each rank computes its part of the
// rows.
class Model {
 public:
  // Collective: all ranks compile with the kernels that the first one has chosen by measuring. `card` describes the
  // network's inputs and outputs; what it leaves out is filled in.
  Model(Graph graph, ModelCard card, const ModelSettings& settings);

  [[nodiscard]] const ModelCard& card() const { return card_; }
  void set_statistics(data::ChannelStatistics statistics);
  [[nodiscard]] const Graph& graph() const { return trained_->network.graph(); }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] std::int64_t batch() const { return settings_.batch; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] std::int64_t classes() const { return classes_; }
  // Whether the loss takes float targets instead of labels.
  [[nodiscard]] bool has_targets() const { return trained_->network.plan().targets >= 0; }

  // Collective. One update with these rows of the images; returns their mean loss.
  double step(const Images& images, const Truth& truth, std::span<const std::int64_t> rows, double learning_rate);

  // The mean loss, and the gradients of all parameters, without an update. On this rank alone.
  double gradients(const Images& images, const Truth& truth, std::vector<NamedTensor>& found);
  // The gradient of the mean loss with respect to the images, with batch norm as in prediction. On this rank alone.
  void input_gradient(const Images& images, const Truth& truth, std::span<float> gradient);
  // The outputs of these layers, as in prediction, for all rows. On this rank alone.
  [[nodiscard]] std::vector<NamedTensor> outputs(const Images& images, const std::set<std::string>& layers);

  // Scores of each class, N x classes, or probabilities where the loss is cross-entropy. On this rank alone.
  void predict(const Images& images, bool as_probabilities, std::span<float> scores);
  [[nodiscard]] Score evaluate(const Images& images, std::span<const std::int64_t> labels);

  [[nodiscard]] std::vector<NamedTensor> weights() const;
  void set_weights(std::span<const NamedTensor> tensors);
  // As --init does: takes the weights that fit.
  WeightTransfer take_weights(const std::string& path);

  void save(const std::string& path) const;
  [[nodiscard]] std::string onnx(const ExportOptions& options) const;

 private:
  void fill(const Images& images, const Truth& truth, std::span<const std::int64_t> rows, Network& network) const;
  void fill_images(const Images& images, std::span<const std::int64_t> rows, std::span<float> input) const;
  void require_truth(const Truth& truth, std::int64_t rows) const;
  [[nodiscard]] CompileOptions options() const;
  void compute_gradients(std::int64_t rows_of_all, std::int64_t first);
  Predictor& predictor();
  template <typename Visit>
  void each_batch(const Images& images, const Visit& visit);

  ModelCard card_;
  ModelSettings settings_;
  int threads_;
  std::int64_t classes_ = 0;
  TuningCache cache_;
  std::unique_ptr<ReplicaNetwork> trained_;
  std::unique_ptr<Predictor> predictor_;
  bool predictor_is_new_ = true;  // true: it does not have the parameters of the last step yet
  std::int64_t steps_ = 0;
};

// The network and weights of a run, a checkpoint, a weights file or an ONNX model.
[[nodiscard]] std::unique_ptr<Model> load_model(const std::string& path, const ModelSettings& settings,
                                                const OnNote& on_note);

}  // namespace convoy::python
