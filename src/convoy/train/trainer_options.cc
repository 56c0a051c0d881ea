#include "convoy/train/trainer_options.h"

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"

namespace convoy {
namespace {

void require_at_least_one(const char* name, std::int64_t value) {
  if (value < 1) throw UserError("{} must be at least 1, got {}", name, value);
}

}  // namespace

void check_options(const TrainerOptions& options, std::int64_t samples) {
  require_at_least_one("epochs", options.epochs);
  require_at_least_one("batch", options.batch);
  require_at_least_one("instances", options.instances);
  require_at_least_one("accumulate", options.accumulate);
  require_at_least_one("eval-every", options.evaluate_every);
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
}

}  // namespace convoy
