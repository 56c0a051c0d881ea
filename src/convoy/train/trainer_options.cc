#include "convoy/train/trainer_options.h"

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"

namespace convoy {
namespace {

void require_at_least_one(const char* name, std::int64_t value) {
  if (value < 1) throw UserError("{} must be at least 1, got {}", name, value);
}

void check_ranks(const TrainerOptions& options, int ranks) {
  if (rows_of_step(options) < ranks) {
    throw UserError(
        "a batch of {} rows cannot be shared by {} workers: each needs at least one; raise batch or lower "
        "workers",
        rows_of_step(options), ranks);
  }
  if (options.sync_batch_norm && (options.accumulate > 1 || options.grains > 0)) {
    throw UserError("sync-bn is over the whole batch at once: it goes with neither accumulate nor reproducible");
  }
  if (options.grains == 0) return;
  if (options.grains < 0 || options.grains % ranks != 0) {
    throw UserError("{} grains cannot be shared evenly by {} workers; choose a multiple of it", options.grains, ranks);
  }
  if (options.grains > rows_of_step(options)) {
    throw UserError("a batch of {} rows cannot be cut into {} grains; lower grains", rows_of_step(options),
                    options.grains);
  }
  if (options.accumulate > 1) throw UserError("reproducible training computes grains one by one; leave accumulate out");
}

}  // namespace

std::int64_t rows_of_piece(const TrainerOptions& options, int ranks) {
  const auto part = [](std::int64_t rows, std::int64_t parts) { return (rows + parts - 1) / parts; };
  if (options.grains > 0) return part(rows_of_step(options), options.grains);
  return part(part(rows_of_step(options), ranks), options.accumulate);
}

std::int64_t steps_of_epoch(const TrainerOptions& options, std::int64_t samples) {
  const std::int64_t of_epoch = options.epoch_samples > 0 ? options.epoch_samples : samples;
  return (of_epoch + options.batch - 1) / options.batch;
}

void check_options(const TrainerOptions& options, std::int64_t samples, int ranks) {
  require_at_least_one("epochs", options.epochs);
  require_at_least_one("batch", options.batch);
  require_at_least_one("instances", options.instances);
  require_at_least_one("accumulate", options.accumulate);
  if (options.evaluate_every < 0) throw UserError("eval-every must be at least 0, got {}", options.evaluate_every);
  if (options.evaluate_every == 0 && (options.stop.target_top1 || options.stop.patience > 0)) {
    throw UserError("target-accuracy and patience need evaluations, and eval-every 0 makes none");
  }
  if (options.batch > samples) {
    throw UserError("a batch of {} is larger than the training data, which has {} samples", options.batch,
                    grouped_text(samples));
  }
  if (options.accumulate > rows_of_step(options)) {
    throw UserError("a batch of {} rows cannot be cut into {} pieces; lower accumulate", rows_of_step(options),
                    options.accumulate);
  }
  if (!(options.clip_norm >= 0 && std::isfinite(options.clip_norm))) {
    throw UserError("clip must be at least 0, got {}", options.clip_norm);
  }
  check_ranks(options, ranks);
}

}  // namespace convoy
