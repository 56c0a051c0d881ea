#include "convoy/run/imported_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/checkpoint/weights.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "convoy/graph/network_text.h"
#include "convoy/run/model_metadata.h"
#include "convoy/train/model_card.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> numbered_classes(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) names.push_back(fmt::format("{}", i));
  return names;
}

// A model card for a model without metadata.
ModelCard plain_card(const Graph& graph, const OnNote& on_note, const std::string& file) {
  const Shape& input = graph.layer(0).shape;
  const auto channels = static_cast<std::size_t>(input.rank() == 3 ? input[0] : 0);
  on_note(fmt::format(
      "{}: it does not say what its classes are called and how images are normalised: classes have numbers, pixels go "
      "from 0 to 1; `convoy import` takes both",
      file));
  return {.model = {},
          .network = {},
          .input = input,
          .classes = numbered_classes(graph.layer(graph.output() - 1).shape.count()),
          .statistics = {.mean = std::vector<float>(channels, 0), .deviation = std::vector<float>(channels, 1)}};
}

void apply(const ImportOptions& options, const Graph& graph, ModelCard& card) {
  if (!options.classes.empty()) card.classes = options.classes;
  if (!options.mean.empty()) card.statistics.mean = options.mean;
  if (!options.deviation.empty()) card.statistics.deviation = options.deviation;
  const auto scores = static_cast<std::size_t>(graph.layer(graph.layers().back().inputs[0]).shape.count());
  if (card.classes.size() != scores) {
    throw UserError("there are {} names of classes for {} scores", card.classes.size(), scores);
  }
  const auto channels = static_cast<std::size_t>(card.input.rank() == 3 ? card.input[0] : 0);
  if (card.statistics.mean.size() != channels || card.statistics.deviation.size() != channels) {
    throw UserError("an input of {} wants {} means and {} deviations, got {} and {}", card.input.to_string(), channels,
                    channels, card.statistics.mean.size(), card.statistics.deviation.size());
  }
  if (!std::ranges::all_of(card.statistics.deviation, [](float value) { return value > 0; })) {
    throw UserError("deviations must be above 0");
  }
}

ModelCard card_of(const ImportedNetwork& imported, const ImportOptions& options, const std::string& file,
                  const OnNote& on_note) {
  const Metadata metadata = metadata_from_onnx(imported.metadata);
  const bool is_told = !options.classes.empty() && !options.mean.empty() && !options.deviation.empty();
  const OnNote note = is_told ? OnNote([](const std::string&) {}) : on_note;
  ModelCard card =
      metadata.contains("classes") ? model_card_from(metadata, file) : plain_card(imported.graph, note, file);
  card.input = imported.graph.layer(0).shape;
  apply(options, imported.graph, card);
  return card;
}

}  // namespace

ImportedModel import_model(const fs::path& path, const ImportOptions& options, const OnNote& on_note) {
  ImportedNetwork imported = import_onnx(path, options.input);
  for (const std::string& note : imported.notes) on_note(fmt::format("{}: {}", path.string(), note));
  ImportedModel model{.network = {.name = path.stem().string(), .text = network_text(imported.graph), .file = path}};
  const bool predicts = is_loss(imported.graph.layers().back().op) && imported.graph.layer(0).shape.rank() == 3;
  if (predicts) {
    ModelCard card = card_of(imported, options, path.string(), on_note);
    card.model = model.network.name;
    card.network = model.network.text;
    model.weights.metadata = to_metadata(card);
  }
  model.weights.tensors = std::move(imported.weights);
  return model;
}

TensorFile read_any_weights(const fs::path& path, const OnNote& on_note) {
  if (path.extension() == ".onnx") return import_model(path, {}, on_note).weights;
  return read_weights(path, on_note);
}

}  // namespace convoy
