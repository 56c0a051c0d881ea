#include "convoy/run/trained_model.h"

#include "convoy/base/error.h"
#include "convoy/engine/plan.h"
#include "convoy/run/imported_model.h"
#include "convoy/run/named_network.h"
#include "convoy/train/network_weights.h"

namespace convoy {

std::unique_ptr<ParameterStore> make_parameter_store(const Graph& graph) {
  Choices choices;
  const std::string first(kFirstImplementation);
  for (const Layer& layer : graph.layers()) choices[layer.name] = {first, first, first};
  Plan plan = compile(graph, {.batch = 1, .threads = 1, .training = false, .choices = &choices});
  return std::make_unique<ParameterStore>(plan.device, plan.parameters);
}

TrainedModel open_trained_model(const std::filesystem::path& path, const OnNote& on_note) {
  const TensorFile file = read_any_weights(path, on_note);
  TrainedModel model;
  model.card = model_card_from(file.metadata, path.string());
  model.provenance = file.metadata;
  try {
    model.graph = build_network(kept_network(model.card.model, model.card.network),
                                {.input = model.card.input,
                                 .classes = static_cast<int>(model.card.classes.size()),
                                 .loss = loss_named(model.card.loss)});
  } catch (const UserError& error) {
    throw DataError("{}: {}", path.string(), error.what());
  }
  model.weights = make_parameter_store(model.graph);
  try {
    import_weights(file.tensors, *model.weights);
  } catch (const DataError& error) {
    throw DataError("{}: {}", path.string(), error.what());
  }
  return model;
}

DataType precision_for(const ModelCard& card, const std::string& asked) {
  return asked.empty() ? card.precision : data_type_named(asked);
}

void refuse_scores_of(const std::filesystem::path& path) {
  throw DataError("{}: its weights are out of bounds: they give scores that are not numbers; take another checkpoint",
                  path.string());
}

}  // namespace convoy
