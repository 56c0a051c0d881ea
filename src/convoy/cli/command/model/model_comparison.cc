#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "convoy/base/number_text.h"
#include "convoy/cli/command/model/model_summary.h"
#include "convoy/report/words.h"

namespace convoy::cli {
namespace {

struct Quantity {
  const char* name;
  const char* key;
  bool is_bytes;
  std::int64_t (*of)(const ModelSummary& model);
};

constexpr Quantity kQuantities[] = {
    {"multiply-adds", "multiply_adds", false, [](const ModelSummary& m) { return m.analysis().multiply_adds; }},
    {"parameters", "parameters", false, [](const ModelSummary& m) { return m.analysis().parameters(); }},
    {"parameters without biases", "weights", false, [](const ModelSummary& m) { return m.analysis().weights; }},
    {"activations", "counted_activations", false,
     [](const ModelSummary& m) { return m.analysis().counted_activations; }},
    {"activations kept by training", "activation_bytes", true,
     [](const ModelSummary& m) { return m.memory().activation_bytes / m.batch(); }},
    {"training memory", "training_memory_bytes", true, [](const ModelSummary& m) { return m.memory().total_bytes(); }},
    {"all-reduce", "allreduce_bytes", true, [](const ModelSummary& m) { return m.analysis().allreduce_bytes(); }},
};

double ratio_of(std::int64_t first, std::int64_t other) {
  return static_cast<double>(first) / static_cast<double>(other);
}

std::string amount_text(const Quantity& quantity, std::int64_t amount, SummaryForm form) {
  if (form == SummaryForm::file) return fmt::format("{}", amount);
  return quantity.is_bytes ? bytes_text(static_cast<double>(amount)) : grouped_text(amount);
}

// Networks with the same name are distinguished by how their options differ.
std::string column_name(const std::vector<ModelSummary>& models, std::size_t i) {
  const std::string& name = models[i].model();
  const auto same = std::ranges::count(models, name, &ModelSummary::model);
  return same > 1 ? fmt::format("{} ({})", name, i + 1) : name;
}

std::vector<std::string> quantity_row(const std::vector<ModelSummary>& models, const Quantity& quantity,
                                      SummaryForm form) {
  const std::int64_t first = quantity.of(models.front());
  std::vector<std::string> cells = {quantity.name, amount_text(quantity, first, form)};
  for (std::size_t i = 1; i < models.size(); ++i) {
    const std::int64_t amount = quantity.of(models[i]);
    const bool comparable = first > 0 && amount > 0;
    cells.push_back(amount_text(quantity, amount, form));
    cells.push_back(comparable ? fmt::format("{:.2f}", ratio_of(first, amount)) : "-");
    cells.push_back(comparable ? percent_text(1 - 1 / ratio_of(first, amount)) : "-");
  }
  return cells;
}

std::vector<std::string> shape_row(const char* name, const std::vector<ModelSummary>& models,
                                   std::string (*of)(const ModelSummary& model)) {
  std::vector<std::string> cells = {name, of(models.front())};
  for (std::size_t i = 1; i < models.size(); ++i) cells.insert(cells.end(), {of(models[i]), "", ""});
  return cells;
}

// What the network computes; the loss is not an output.
std::string output_text(const ModelSummary& model) {
  const Layer& last = model.graph().layers().back();
  return (is_loss(last.op) ? model.graph().layer(last.inputs[0]) : last).shape.to_string();
}

std::string sentence_of(const std::vector<ModelSummary>& models, std::size_t i) {
  const std::string base = column_name(models, 0);
  const std::string other = column_name(models, i);
  const std::int64_t first = models.front().analysis().multiply_adds;
  const std::int64_t second = models[i].analysis().multiply_adds;
  if (first == 0 || second == 0) return fmt::format("{} or {} has no multiply-adds to compare.", base, other);
  if (first < second) {
    return fmt::format("{} takes {:.2f} times the multiply-adds of {}.", other, ratio_of(second, first), base);
  }
  return fmt::format("{} takes {:.2f} times the multiply-adds of {}: {} saves {}.", base, ratio_of(first, second),
                     other, other, percent_text(1 - 1 / ratio_of(first, second)));
}

}  // namespace

report::Section side_by_side(const std::vector<ModelSummary>& models, SummaryForm form) {
  const std::string base = column_name(models, 0);
  report::Table table{.id = "side-by-side", .caption = "What each network takes", .header = {"", base}, .rows = {}};
  std::string sentences = fmt::format("The ratio is what {} takes over what the other takes.", base);
  for (std::size_t i = 1; i < models.size(); ++i) {
    const std::string name = column_name(models, i);
    table.header.insert(table.header.end(), {name, "ratio", "saving"});
    sentences += ' ' + sentence_of(models, i);
  }
  for (const Quantity& quantity : kQuantities) table.add_row(quantity_row(models, quantity, form));
  table.add_row(shape_row("receptive field", models, [](const ModelSummary& m) { return m.field(); }));
  table.add_row(shape_row("input", models, [](const ModelSummary& m) { return m.graph().layer(0).shape.to_string(); }));
  table.add_row(shape_row("output", models, output_text));
  return {.id = "side-by-side", .title = "Side by side", .blocks = {report::Paragraph{sentences}, table}};
}

nlohmann::ordered_json comparison_json(const std::vector<ModelSummary>& models) {
  nlohmann::ordered_json quantities = nlohmann::ordered_json::array();
  for (const Quantity& quantity : kQuantities) {
    nlohmann::ordered_json row = {{"quantity", quantity.key}, {"values", nlohmann::ordered_json::array()}};
    for (const ModelSummary& model : models) {
      const std::int64_t first = quantity.of(models.front());
      const std::int64_t amount = quantity.of(model);
      row["values"].push_back(amount);
      // NaN becomes null in JSON.
      row["ratios"].push_back(amount > 0 ? ratio_of(first, amount) : NAN);
      row["savings"].push_back(first > 0 ? 1 - ratio_of(amount, first) : NAN);
    }
    quantities.push_back(std::move(row));
  }
  return quantities;
}

}  // namespace convoy::cli
