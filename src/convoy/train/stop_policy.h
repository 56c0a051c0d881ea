// Decides when a training ends before its last epoch. Pure: it is told what happened and answers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace convoy {

struct StopOptions {
  std::optional<double> target_top1;  // stop when test accuracy reaches it
  std::int64_t patience = 0;          // how many evaluations without a better test accuracy are allowed; 0: any number
  double max_seconds = std::numeric_limits<double>::infinity();  // of the run, over all sittings (see RunInfo)
};

// The best evaluation so far. Saved in checkpoints.
struct BestEpoch {
  std::int64_t epoch = 0;  // 0: none yet; epochs count from 1
  double top1 = -1;
  std::int64_t evaluations_since = 0;

  // Returns whether `top1` is a new best. NaN never is.
  bool consider(std::int64_t at_epoch, double at_top1);
};

// After an evaluation: why training should end, or no value.
[[nodiscard]] std::optional<std::string> reason_to_stop(const StopOptions& options, const BestEpoch& best);

// After a step.
[[nodiscard]] std::optional<std::string> reason_to_stop(const StopOptions& options, double elapsed_seconds);

}  // namespace convoy
