// Turns settings into options of the library: decides what was left out and refuses what makes no sense.
#pragma once

#include <cstdint>
#include <optional>

#include "convoy/data/source/source_spec.h"
#include "convoy/models/model_options.h"
#include "convoy/optim/optimizer_options.h"
#include "convoy/optim/schedule.h"
#include "convoy/run/settings/train_settings.h"
#include "convoy/sync/gradient_reducer.h"
#include "convoy/train/checkpointing.h"
#include "convoy/train/dense_exchange_options.h"
#include "convoy/train/trainer_options.h"

namespace convoy {

// How images are varied when nothing is said: what is usual for the data.
[[nodiscard]] std::string default_augmentation(data::SourceKind kind);

// A learning rate that usually works. For rules whose step is proportional to the gradient it grows with the batch, and
// it is smaller without batch norm, which keeps activations in bounds. For squared error it is a tenth: the gradient of
// a squared error grows with the scores, while that of cross-entropy never exceeds one, and the first steps would
// overshoot.
[[nodiscard]] double default_rate(OptimizerKind optimizer, Loss loss, bool has_batch_norm, std::int64_t batch);

// Fills in settings that were left out and depend on data and model.
void resolve(TrainSettings& settings, bool has_batch_norm, int workers = 1);

// Each throws UserError that names the wrong setting.
[[nodiscard]] ModelOptions model_options(const TrainSettings& settings, const Shape& image, int classes);
[[nodiscard]] OptimizerOptions optimizer_options(const TrainSettings& settings);
[[nodiscard]] std::int64_t global_batch(const TrainSettings& settings, int workers);
[[nodiscard]] ScheduleOptions schedule_options(const TrainSettings& settings, std::int64_t steps_per_epoch,
                                               int workers = 1);
[[nodiscard]] TrainerOptions trainer_options(const TrainSettings& settings, int workers = 1);
[[nodiscard]] CompressionOptions compression_options(const TrainSettings& settings);
[[nodiscard]] LocalOptions local_options(const TrainSettings& settings);
[[nodiscard]] ReducerOptions reducer_options(const TrainSettings& settings);
[[nodiscard]] DenseExchangeOptions dense_exchange_options(const TrainSettings& settings, int workers = 1);
[[nodiscard]] CheckpointPlan checkpoint_plan(const TrainSettings& settings);

}  // namespace convoy
