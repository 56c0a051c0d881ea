// How a Trainer goes about it.
#pragma once

#include <cstdint>

#include "convoy/data/augment/augment_options.h"
#include "convoy/data/augment/mixing.h"
#include "convoy/train/stop_policy.h"

namespace convoy {

struct TrainerOptions {
  std::int64_t epochs = 1;
  std::int64_t batch = 128;        // samples of a step
  int instances = 1;               // batch augmentation: rows of the batch that each sample fills
  int accumulate = 1;              // pieces in which a batch is computed, to save memory
  std::int64_t epoch_samples = 0;  // of an epoch, in whole steps, where it is not a pass over the data; 0: it is
  double clip_norm = 0;            // gradients are scaled down to this norm; 0: never
  std::uint64_t seed = 0;          // of the order of samples, their augmentation and dropout
  data::AugmentOptions augment;
  data::MixOptions mix;
  int loader_threads = 1;
  std::int64_t evaluate_every = 1;  // epochs, and the last one; 0: never
  StopOptions stop;
  double average_decay = 0;  // of the moving average of the weights, which is tested beside them; 0: there is none

  // With several ranks. The batch is cut into `grains` fixed parts which are computed alone and summed in a fixed
  // order, so that weights do not depend on the number of ranks, which divides it; 0: ranks compute what they have.
  int grains = 0;
  bool sync_batch_norm = false;      // batch norm goes by the samples of all ranks
  std::int64_t compare_every = 100;  // steps between comparisons of the ranks' weights
};

// Rows of a step in all, and of the pieces that one of `ranks` ranks computes it in: what the network has to be
// compiled for.
[[nodiscard]] inline std::int64_t rows_of_step(const TrainerOptions& options) {
  return options.batch * options.instances;
}
[[nodiscard]] std::int64_t rows_of_piece(const TrainerOptions& options, int ranks = 1);

// Of an epoch, where there are so many samples to train on. Passes over the data go on from epoch to epoch.
[[nodiscard]] std::int64_t steps_of_epoch(const TrainerOptions& options, std::int64_t samples);

// Throws UserError naming the option and its range; `samples` are those to train on.
void check_options(const TrainerOptions& options, std::int64_t samples, int ranks = 1);

}  // namespace convoy
