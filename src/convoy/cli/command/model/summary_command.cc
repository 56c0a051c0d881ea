#include "convoy/cli/command/model/summary_command.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <variant>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/models/stack.h"

namespace convoy::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDefinitions =
    "activations      elements of the layer's output for one image\n"
    "weights, biases  learnable; of a batch norm its scales and shifts\n"
    "multiply-adds    of convolutions and dense layers, forward, for one image; other layers count as 0\n"
    "receptive field  input pixels (height x width) that one output pixel depends on, the largest of all paths;\n"
    "                 padding counts, so it can exceed the image; dense layers and global pooling see exactly the\n"
    "                 whole image\n"
    "training memory  an estimate: outputs that the backward pass reads again, the most gradients of outputs alive at\n"
    "                 once, and three copies of the parameters: values, gradients and the momentum of SGD\n"
    "all-reduce       what workers exchange in a step: every gradient once, 4 bytes each\n";

std::string window_text(Extent kernel, Extent stride) {
  std::string text = fmt::format(" {}x{}", kernel.h, kernel.w);
  if (stride != Extent(1)) {
    text += stride.h == stride.w ? fmt::format(" /{}", stride.h) : fmt::format(" /{}x{}", stride.h, stride.w);
  }
  return text;
}

// The kind and what tells layers of one kind apart: "conv 7x7 /2".
std::string kind_text(const Operator& op) {
  std::string kind = kind_of(op);
  if (const auto* convolution = std::get_if<op::Convolution>(&op)) {
    const std::string groups = convolution->groups > 1 ? fmt::format(" groups {}", convolution->groups) : "";
    return kind + window_text(convolution->kernel, convolution->stride) + groups;
  }
  if (const auto* pool = std::get_if<op::MaxPool>(&op)) {
    return kind + window_text(pool->kernel, pool->stride);
  }
  if (const auto* pool = std::get_if<op::AveragePool>(&op)) {
    return kind + window_text(pool->kernel, pool->stride);
  }
  return kind;
}

// An empty cell reads better than a column of zeros.
std::string count_or_blank(std::int64_t count) { return count > 0 ? grouped_text(count) : ""; }

std::string field_text(const LayerAnalysis& layer) {
  return fmt::format("{}x{}", layer.receptive_height, layer.receptive_width);
}

// All but the input.
std::span<const LayerAnalysis> computing_layers(const Analysis& analysis) {
  return std::span(analysis.layers).subspan(1);
}

// The width of what the loss reads; zero for a graph that ends without a loss.
std::int64_t classes_of(const Graph& graph) {
  const Layer& last = graph.layers().back();
  return is_loss(last.op) ? graph.layer(last.inputs[0]).shape.count() : 0;
}

Json layer_json(const Layer& layer, const LayerAnalysis& analysis) {
  return {{"name", layer.name},
          {"kind", kind_of(layer.op)},
          {"output_shape", layer.shape.dims()},
          {"activations", analysis.activations},
          {"weights", analysis.weights},
          {"biases", analysis.biases},
          {"multiply_adds", analysis.multiply_adds},
          {"receptive_field", {analysis.receptive_height, analysis.receptive_width}}};
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
          {"multiply_adds", analysis.multiply_adds},
          {"allreduce_bytes", analysis.allreduce_bytes()},
          {"training_memory_bytes", memory.total_bytes()},
          {"training_memory", memory_json(memory)}};
}

std::string bytes_cell(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

}  // namespace

ModelSummary::ModelSummary(std::string model, Graph graph, std::int64_t batch)
    : model_(std::move(model)),
      graph_(std::move(graph)),
      batch_(batch),
      analysis_(analyse(graph_)),
      memory_(training_memory(graph_, batch)) {}

std::string ModelSummary::layer_table() const {
  TextTable table({"layer", "kind", "output", "activations", "weights", "biases", "multiply-adds", "field"});
  for (const LayerAnalysis& costs : computing_layers(analysis_)) {
    const Layer& layer = graph_.layer(costs.layer);
    table.add_row({layer.name, kind_text(layer.op), layer.shape.to_string(), grouped_text(costs.activations),
                   count_or_blank(costs.weights), count_or_blank(costs.biases), count_or_blank(costs.multiply_adds),
                   field_text(costs)});
  }
  table.add_rule();
  table.add_row({"total", "", "", grouped_text(analysis_.activations), grouped_text(analysis_.weights),
                 grouped_text(analysis_.biases), grouped_text(analysis_.multiply_adds), ""});
  return table.to_string();
}

std::string ModelSummary::totals() const {
  return fmt::format(
      "parameters       {} in {} tensors\n"
      "multiply-adds    {} per image\n"
      "all-reduce       {} per step\n",
      grouped_text(analysis_.parameters()), grouped_text(analysis_.tensors), grouped_text(analysis_.multiply_adds),
      bytes_cell(analysis_.allreduce_bytes()));
}

std::string ModelSummary::memory_table() const {
  return fmt::format(
      "training memory  {} at batch {}\n"
      "                 {} activations + {} their gradients + {} parameters\n"
      "                 + {} parameter gradients + {} optimizer state\n",
      bytes_cell(memory_.total_bytes()), grouped_text(batch_), bytes_cell(memory_.activation_bytes),
      bytes_cell(memory_.activation_gradient_bytes), bytes_cell(memory_.parameter_bytes),
      bytes_cell(memory_.gradient_bytes), bytes_cell(memory_.optimizer_bytes));
}

std::string ModelSummary::text() const {
  const std::int64_t classes = classes_of(graph_);
  const std::string classes_text = classes > 0 ? fmt::format(", {} classes", grouped_text(classes)) : "";
  return fmt::format("{}, input {}{}\n\n{}\n{}{}\nWhat the words mean\n{}", model_, graph_.layer(0).shape.to_string(),
                     classes_text, layer_table(), totals(), memory_table(), kDefinitions);
}

std::string ModelSummary::field() const { return field_text(analysis_.layers.back()); }

std::string ModelSummary::json() const {
  Json layers = Json::array();
  for (const LayerAnalysis& costs : computing_layers(analysis_)) {
    layers.push_back(layer_json(graph_.layer(costs.layer), costs));
  }
  const Json summary = {{"model", model_},
                        {"input", graph_.layer(0).shape.to_string()},
                        {"classes", classes_of(graph_)},
                        {"batch", batch_},
                        {"layers", std::move(layers)},
                        {"totals", totals_json(analysis_, memory_)}};
  return summary.dump(2) + "\n";
}

namespace {

struct Flags {
  ModelFlags model;
  std::string stack;
  std::int64_t batch = 32;
  bool json = false;
};

// The field first: it is what a stack is looked at for.
void print_stack(const Flags& flags, const ModelSummary& summary) {
  if (!flags.json) fmt::print("receptive field  {}\n\n", summary.field());
  fmt::print("{}", flags.json ? summary.json() : summary.text());
}

void run_summary(const Flags& flags) {
  if (flags.batch < 1) {
    throw UserError("--batch must be at least 1, got {}", flags.batch);
  }
  if (flags.model.model.empty() == flags.stack.empty()) throw UserError("give either --model NAME or --stack WINDOWS");
  if (!flags.stack.empty()) {
    if (flags.model.classes) throw UserError("--stack has no classes; leave --classes out");
    const Graph graph = stack_of_windows(flags.stack, flags.model.input ? Shape::parse(*flags.model.input) : Shape());
    print_stack(flags, ModelSummary("stack " + flags.stack, graph, flags.batch));
    return;
  }
  const ModelSummary summary(flags.model.model, build_model(flags.model), flags.batch);
  fmt::print("{}", flags.json ? summary.json() : summary.text());
}

}  // namespace

void add_summary_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("summary", "Show a network layer by layer: shapes, parameters, arithmetic, memory");
  const auto flags = std::make_shared<Flags>();
  add_model_flags(*command, flags->model);
  command->get_option("--model")->required(false);
  command
      ->add_option("--stack", flags->stack,
                   "Instead of a model: convolutions on top of each other, such as 5x5,3x3/2,3x3d2 (stride, dilation)")
      ->type_name("WINDOWS");
  command->add_option("--batch", flags->batch, "Images one worker trains on at once, for the memory estimate")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON object instead of tables");
  command->footer(
      "Examples:\n"
      "  convoy summary --model vgg19 --input 3x64x64 --classes 200 --batch 64\n"
      "  convoy summary --model mine.toml\n"
      "  convoy summary --stack 5x5,5x5,5x5");
  command->callback([flags] { run_summary(*flags); });
}

}  // namespace convoy::cli
