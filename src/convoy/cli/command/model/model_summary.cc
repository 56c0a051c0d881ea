#include "convoy/cli/command/model/model_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/cli/command/model/layer_rows.h"

namespace convoy::cli {
namespace {

using Json = nlohmann::ordered_json;
using report::RowMark;

struct Meaning {
  const char* word;
  const char* text;
};

constexpr Meaning kMeanings[] = {
    {"rows", "activation functions, dropout, flattening and the loss belong to the layer before (+relu)"},
    {"activations",
     "numbers in the output for one image as papers count them: activation functions and batch norms "
     "are folded into the layer before, a concatenation is its inputs; the total has the input's too"},
    {"kept", "what training keeps of it for the backward pass, for one image; work in place keeps nothing"},
    {"calculation", "of the weights: (kernel height * width * input channels of a group) * filters"},
    {"weights, biases", "learnable; of a batch norm its scales and shifts"},
    {"multiply-adds", "of convolutions and dense layers, forward, for one image; other layers count as 0"},
    {"receptive field",
     "input pixels (height x width) that one output pixel depends on, the largest of all paths; "
     "padding counts, so it can exceed the image; dense layers and global pooling see all of it"},
    {"training memory",
     "an estimate: outputs that the backward pass reads again, the most gradients of outputs alive "
     "at once, and three copies of the parameters: values, gradients and the momentum of SGD"},
    {"all-reduce", "what workers exchange in a step: every gradient once, 4 bytes each"},
};

// An empty cell reads better than a column of zeros.
std::string count_or_blank(std::int64_t count) { return count > 0 ? grouped_text(count) : ""; }

std::string field_text(const LayerAnalysis& layer) {
  return fmt::format("{}x{}", layer.receptive_height, layer.receptive_width);
}

std::string memory_text(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

// How many values the loss reads; zero for a graph without a loss.
std::int64_t classes_of(const Graph& graph) {
  const Layer& last = graph.layers().back();
  return is_loss(last.op) ? graph.layer(last.inputs[0]).shape.count() : 0;
}

// The window of a layer has its own columns if there is room for them.
std::vector<std::string> cells_of(const ModelSummary& summary, const LayerRow& row, SummaryForm form) {
  const Layer& layer = summary.graph().layer(row.layer);
  const auto count = [&](std::int64_t n) {
    return form == SummaryForm::file ? fmt::format("{}", n) : count_or_blank(n);
  };
  std::vector<std::string> cells = {layer.name};
  if (form == SummaryForm::terminal) {
    cells.push_back(short_kind(row));
  } else {
    cells.insert(cells.end(), {row.kind, row.kernel, row.stride, row.pad, row.groups});
  }
  const bool as_number = form == SummaryForm::file || row.kept_bytes == 0;
  const std::string kept = as_number ? count(row.kept_bytes) : memory_text(row.kept_bytes);
  cells.insert(cells.end(), {layer.shape.to_string(), count(row.costs.counted_activations), kept, row.calculation,
                             count(row.costs.weights), count(row.costs.biases), count(row.costs.multiply_adds),
                             field_text(row.costs)});
  return cells;
}

// Sums below the columns that have one.
std::vector<std::string> total_cells(const ModelSummary& summary, std::int64_t kept, SummaryForm form) {
  const Analysis& sums = summary.analysis();
  LayerRow row{.kind = "", .kept_bytes = kept, .costs = {}};
  row.costs.counted_activations = sums.counted_activations;
  row.costs.weights = sums.weights;
  row.costs.biases = sums.biases;
  row.costs.multiply_adds = sums.multiply_adds;
  std::vector<std::string> cells = cells_of(summary, row, form);
  cells.front() = "total";
  cells.back().clear();
  cells[form == SummaryForm::terminal ? 2 : 6].clear();  // the output's shape
  return cells;
}

report::Table layer_table(const ModelSummary& summary, const std::string& id, SummaryForm form) {
  report::Table table{.id = id, .caption = "Layer by layer", .header = {"layer", "kind"}, .rows = {}};
  if (form != SummaryForm::terminal) {
    table.header.insert(table.header.end(), {"kernel", "stride", "pad", "groups"});
  }
  table.header.insert(table.header.end(), {"output", "activations", form == SummaryForm::file ? "kept bytes" : "kept",
                                           "calculation", "weights", "biases", "multiply-adds", "field"});
  std::int64_t kept = 0;
  for (const LayerRow& row : layer_rows(summary.graph(), summary.analysis())) {
    kept += row.kept_bytes;
    table.add_row(cells_of(summary, row, form));
  }
  table.add_row(total_cells(summary, kept, form), RowMark::total);
  return table;
}

report::Highlights totals_of(const ModelSummary& summary) {
  const Analysis& sums = summary.analysis();
  const TrainingMemory& memory = summary.memory();
  const std::string parts =
      fmt::format("{} activations, {} their gradients, 3 x {} parameters", memory_text(memory.activation_bytes),
                  memory_text(memory.activation_gradient_bytes), memory_text(memory.parameter_bytes));
  return {{{.label = "parameters",
            .value = grouped_text(sums.parameters()),
            .detail = fmt::format("{} without biases; {} tensors", grouped_text(sums.weights), sums.tensors)},
           {.label = "multiply-adds", .value = grouped_text(sums.multiply_adds), .detail = "forward, per image"},
           {.label = "all-reduce", .value = memory_text(sums.allreduce_bytes()), .detail = "per step"},
           {.label = fmt::format("training memory at batch {}", summary.batch()),
            .value = memory_text(memory.total_bytes()),
            .detail = parts}}};
}

// Each layer by itself: activation functions and the like are layers of their own here.
Json layer_json(const ModelSummary& summary, const LayerAnalysis& costs, std::int64_t kept) {
  const Layer& layer = summary.graph().layer(costs.layer);
  const LayerRow row = row_of(summary.graph(), costs);
  Json json = {{"name", layer.name}, {"kind", row.kind}, {"output_shape", layer.shape.dims()}};
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  put("kernel", row.kernel);
  put("stride", row.stride);
  put("pad", row.pad);
  put("groups", row.groups);
  put("calculation", row.calculation);
  json.update({{"activations", costs.activations},
               {"counted_activations", costs.counted_activations},
               {"kept_bytes", kept},
               {"weights", costs.weights},
               {"biases", costs.biases},
               {"multiply_adds", costs.multiply_adds},
               {"receptive_field", {costs.receptive_height, costs.receptive_width}}});
  return json;
}

Json memory_json(const TrainingMemory& memory) {
  return {{"activation_bytes", memory.activation_bytes},
          {"activation_gradient_bytes", memory.activation_gradient_bytes},
          {"parameter_bytes", memory.parameter_bytes},
          {"gradient_bytes", memory.gradient_bytes},
          {"optimizer_bytes", memory.optimizer_bytes}};
}

Json totals_json(const Analysis& analysis, const TrainingMemory& memory) {
  return {{"parameters", analysis.parameters()},
          {"weights", analysis.weights},
          {"biases", analysis.biases},
          {"tensors", analysis.tensors},
          {"activations", analysis.activations},
          {"counted_activations", analysis.counted_activations},
          {"multiply_adds", analysis.multiply_adds},
          {"allreduce_bytes", analysis.allreduce_bytes()},
          {"training_memory_bytes", memory.total_bytes()},
          {"training_memory", memory_json(memory)}};
}

}  // namespace

report::Section summary_words(SummaryForm form) {
  report::Definitions definitions;
  if (form == SummaryForm::terminal) {
    definitions.entries.push_back({"kind", "with kernel, / stride, p padding, g groups"});
  }
  for (const auto& [word, text] : kMeanings) definitions.entries.push_back({word, text});
  return {.id = "words", .title = "What the words mean", .blocks = {definitions}};
}

ModelSummary::ModelSummary(std::string model, Graph graph, std::int64_t batch)
    : model_(std::move(model)),
      graph_(std::move(graph)),
      batch_(batch),
      analysis_(analyse(graph_)),
      memory_(training_memory(graph_, batch)) {}

std::string ModelSummary::title() const {
  const std::int64_t classes = classes_of(graph_);
  const std::string classes_text = classes > 0 ? fmt::format(", {} classes", grouped_text(classes)) : "";
  return fmt::format("{}, input {}{}", model_, graph_.layer(0).shape.to_string(), classes_text);
}

std::string ModelSummary::field() const { return field_text(analysis_.layers.back()); }

report::Section ModelSummary::section(const std::string& id, SummaryForm form) const {
  return {
      .id = id + "network", .title = title(), .blocks = {layer_table(*this, id + "layers", form), totals_of(*this)}};
}

std::string ModelSummary::csv() const { return report::to_csv(layer_table(*this, "layers", SummaryForm::file)); }

Json ModelSummary::json() const {
  const std::vector<std::int64_t> kept = kept_bytes(graph_);
  Json layers = Json::array();
  for (const LayerAnalysis& costs : std::span(analysis_.layers).subspan(1)) {
    layers.push_back(layer_json(*this, costs, kept[costs.layer]));
  }
  return {{"model", model_},
          {"input", graph_.layer(0).shape.to_string()},
          {"classes", classes_of(graph_)},
          {"batch", batch_},
          {"layers", std::move(layers)},
          {"totals", totals_json(analysis_, memory_)}};
}

}  // namespace convoy::cli
