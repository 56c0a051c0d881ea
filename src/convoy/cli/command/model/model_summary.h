// What `convoy summary` says about networks: layer by layer as a table to hand in, and several side by side.
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
  terminal,  // narrow: a window is part of its layer's kind
  page,
  file,  // numbers without separators
};

// What the words of the tables mean.
[[nodiscard]] report::Section summary_words();

// Tables have a row for each layer; activation functions, dropout, flattening and losses are part of the row before.
class ModelSummary {
 public:
  // `batch` is what one worker trains on at once. Throws UserError when it is not positive.
  ModelSummary(std::string model, Graph graph, std::int64_t batch);

  // One object: model, input, batch, layers, totals.
  [[nodiscard]] nlohmann::ordered_json json() const;
  // For spreadsheets: all columns, numbers without separators.
  [[nodiscard]] std::string csv() const;
  // The table with its totals. `id` begins the ids of section and table.
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

// What each of at least two networks takes, how many times as much the first takes, and what is saved against it.
[[nodiscard]] report::Section side_by_side(const std::vector<ModelSummary>& models,
                                           SummaryForm form = SummaryForm::page);
[[nodiscard]] nlohmann::ordered_json comparison_json(const std::vector<ModelSummary>& models);

}  // namespace convoy::cli
