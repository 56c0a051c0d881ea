#include "convoy/sync/local_options.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/error.h"

namespace convoy {

void check_options(const LocalOptions& options) {
  if (options.steps < 1) throw UserError("--local-steps must be at least 1, got {}", options.steps);
  if (options.after < 0) throw UserError("--local-after must be at least 0, got {}", options.after);
  if (!(options.block_rate > 0 && std::isfinite(options.block_rate))) {
    throw UserError("--block-lr must be above 0, got {}", options.block_rate);
  }
  if (!(options.block_momentum >= 0 && options.block_momentum < 1)) {
    throw UserError("--block-momentum must be at least 0 and below 1, got {}", options.block_momentum);
  }
  if (options.block_nesterov && options.block_momentum == 0) {
    throw UserError("--block-nesterov is a form of the block momentum; give --block-momentum too");
  }
  const bool has_parts = options.after != 0 || options.moves_by_blocks() || options.reset;
  if (options.steps == 1 && has_parts) {
    throw UserError(
        "--local-after, --local-reset, --block-lr and --block-momentum say how --local-steps works; give --local-steps "
        "of more than 1 too");
  }
}

bool BlockPlan::ends_block(std::int64_t step) const {
  const std::int64_t epoch_begin = step / steps_per_epoch_ * steps_per_epoch_;
  const std::int64_t done = step + 1 - std::max(epoch_begin, options_.after);
  return done % options_.steps == 0 || step + 1 == epoch_begin + steps_per_epoch_;
}

}  // namespace convoy
