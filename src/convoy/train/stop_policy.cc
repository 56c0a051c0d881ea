#include "convoy/train/stop_policy.h"

#include <fmt/format.h>

namespace convoy {

bool BestEpoch::consider(std::int64_t at_epoch, double at_top1) {
  if (!(at_top1 > top1)) {
    ++evaluations_since;
    return false;
  }
  *this = {.epoch = at_epoch, .top1 = at_top1, .evaluations_since = 0};
  return true;
}

std::optional<std::string> reason_to_stop(const StopOptions& options, const BestEpoch& best) {
  if (options.target_top1 && best.top1 >= *options.target_top1) {
    return fmt::format("test accuracy reached {:.2f} %", 100 * *options.target_top1);
  }
  if (options.patience > 0 && best.evaluations_since >= options.patience) {
    return fmt::format("test accuracy has not risen since epoch {}", best.epoch);
  }
  return std::nullopt;
}

std::optional<std::string> reason_to_stop(const StopOptions& options, double elapsed_seconds) {
  if (elapsed_seconds < options.max_seconds) return std::nullopt;
  return fmt::format("the time limit of {:.0f} s is over", options.max_seconds);
}

}  // namespace convoy
