// What `convoy summary` says about a network, as text for people and as JSON for programs.
#pragma once

#include <cstdint>
#include <string>

#include "convoy/graph/analysis.h"
#include "convoy/graph/graph.h"
#include "convoy/graph/training_memory.h"

namespace convoy::cli {

class ModelSummary {
 public:
  // `batch` is what one worker trains on at once. Throws UserError when it is not positive.
  ModelSummary(std::string model, Graph graph, std::int64_t batch);

  // A row per layer, totals, training memory, and what the columns mean.
  [[nodiscard]] std::string text() const;
  // One object: model, input, batch, layers, totals.
  [[nodiscard]] std::string json() const;
  // The receptive field of the last layer, "13x13".
  [[nodiscard]] std::string field() const;

 private:
  [[nodiscard]] std::string layer_table() const;
  [[nodiscard]] std::string totals() const;
  [[nodiscard]] std::string memory_table() const;

  std::string model_;
  Graph graph_;
  std::int64_t batch_;
  Analysis analysis_;
  TrainingMemory memory_;
};

}  // namespace convoy::cli
