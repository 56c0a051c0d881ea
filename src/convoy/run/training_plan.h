// A training run with everything decided and checked, but nothing compiled yet.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "convoy/data/source/source.h"
#include "convoy/graph/graph.h"
#include "convoy/run/settings/resolved_settings.h"
#include "convoy/run/settings/train_settings.h"
#include "convoy/train/model_card.h"

namespace convoy {

struct TrainingPlan {
  int workers = 1;
  int nodes = 1;
  std::shared_ptr<data::Source> source;
  Graph graph;
  std::set<std::string> frozen;  // names of parameters
  TrainerOptions trainer;
  ReducerOptions reducer;
  OptimizerOptions optimizer;
  ScheduleOptions schedule;
  DenseExchangeOptions dense;
  CheckpointPlan checkpoints;
  DataType precision = DataType::fp32;
  ModelCard card;
};

// Opens the data, builds the network and fills in what `settings` leave open. Throws UserError or DataError for
// anything that cannot be trained.
[[nodiscard]] TrainingPlan plan_training(TrainSettings& settings, int workers, const Remarks& remarks);

// The same in two steps, for several plans on the same data. `source` must be the one that the settings name.
[[nodiscard]] std::unique_ptr<data::Source> open_training_source(const TrainSettings& settings, const Remarks& remarks);
[[nodiscard]] TrainingPlan plan_training(TrainSettings& settings, int workers, std::shared_ptr<data::Source> source);

}  // namespace convoy
