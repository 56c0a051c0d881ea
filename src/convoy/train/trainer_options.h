// Options of a Trainer.
#pragma once

#include <cstdint>

#include "convoy/data/augment/augment_options.h"
#include "convoy/data/augment/mixing.h"
#include "convoy/train/stop_policy.h"

namespace convoy {

struct TrainerOptions {
  std::int64_t epochs = 1;
  std::int64_t batch = 128;        // samples of a step
  int instances = 1;               // batch augmentation: how many rows of the batch each sample fills
  int accumulate = 1;              // into how many pieces a batch is divided, to save memory
  std::int64_t epoch_samples = 0;  // of an epoch, rounded to whole steps; 0: one pass over the data
  double clip_norm = 0;            // gradients with a larger norm are scaled down to this one; 0: never
  std::uint64_t seed = 0;          // for the order of samples, their augmentation and dropout
  data::AugmentOptions augment;
  data::MixOptions mix;
  int loader_threads = 1;
  std::int64_t evaluate_every = 1;  // in epochs; the last one is always evaluated; 0: never
  StopOptions stop;
  double average_decay = 0;  // of the moving average of the weights, which is also tested; 0: there is none

  // For several ranks: the batch is divided into `grains` fixed parts, which are computed separately and summed in a
  // fixed order, so that weights do not depend on the number of ranks, which must divide `grains`. 0: ranks compute the
  // rows they have.
  int grains = 0;
  bool sync_batch_norm = false;      // batch norm uses the samples of all ranks
  std::int64_t compare_every = 100;  // steps between comparisons of the ranks' weights
};

// The number of rows in a step, and in the pieces in which one of `ranks` ranks computes it, for which the network must
// be compiled.
[[nodiscard]] inline std::int64_t rows_of_step(const TrainerOptions& options) {
  return options.batch * options.instances;
}
[[nodiscard]] std::int64_t rows_of_piece(const TrainerOptions& options, int ranks = 1);

// The number of steps in an epoch, given the number of training samples. A pass over the data may continue in the next
// epoch.
[[nodiscard]] std::int64_t steps_of_epoch(const TrainerOptions& options, std::int64_t samples);

// Throws UserError that names the option and its range; `samples` is the number of training samples.
void check_options(const TrainerOptions& options, std::int64_t samples, int ranks = 1);

}  // namespace convoy
