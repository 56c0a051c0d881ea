// What `convoy summary` says about networks: a table of layers, and several networks side by side.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "convoy/graph/analysis.h"
#include "convoy/graph/graph.h"
#include "convoy/graph/training_memory.h"
#include "convoy/report/document.h"

namespace convoy::cli {

enum class SummaryForm : std::uint8_t {
  terminal,  // narrow: the window is part of the layer's kind
  page,
  file,  // numbers without separators
};

// The meanings of the words in the tables.
[[nodiscard]] report::Section summary_words(SummaryForm form);

// Tables have one row per layer; activation functions, dropout, flattening and losses are part of the row before.
class ModelSummary {
 public:
  // `batch` is what one worker trains on at once. Throws UserError unless it is positive.
  ModelSummary(std::string model, Graph graph, std::int64_t batch);

  // One JSON object: model, input, batch, layers, totals.
  [[nodiscard]] nlohmann::ordered_json json() const;
  // For spreadsheets: all columns, numbers without separators.
  [[nodiscard]] std::string csv() const;
  // The table with its totals. The ids of section and table begin with `id`.
  [[nodiscard]] report::Section section(const std::string& id, SummaryForm form) const;
  // "vgg19, input 3x224x224, 1,000 classes"
  [[nodiscard]] std::string title() const;
  // The receptive field of the last layer, "13x13".
  [[nodiscard]] std::string field() const;

  [[nodiscard]] const std::string& model() const { return model_; }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const Analysis& analysis() const { return analysis_; }
  [[nodiscard]] const TrainingMemory& memory() const { return memory_; }
  [[nodiscard]] std::int64_t batch() const { return batch_; }

 private:
  std::string model_;
  Graph graph_;
  std::int64_t batch_;
  Analysis analysis_;
  TrainingMemory memory_;
};

// What each of at least two networks needs, how many times as much the first needs, and what is saved compared with it.
[[nodiscard]] report::Section side_by_side(const std::vector<ModelSummary>& models,
                                           SummaryForm form = SummaryForm::page);
[[nodiscard]] nlohmann::ordered_json comparison_json(const std::vector<ModelSummary>& models);

}  // namespace convoy::cli
