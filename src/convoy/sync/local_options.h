// Options for averaging models now and then instead of summing gradients in every step, and which steps this affects.
#pragma once

#include <cstdint>

namespace convoy {

struct LocalOptions {
  std::int64_t steps = 1;  // how many steps groups take alone before they average; 1: never alone
  std::int64_t after = 0;  // for this many steps of the run gradients are still summed over all ranks
  double block_rate = 1;
  double block_momentum = 0;
  bool block_nesterov = false;
  bool reset = false;  // the optimizer's state is cleared at the start of each block

  // Whether the new model is anything else than the mean of the groups' models.
  [[nodiscard]] bool moves_by_blocks() const { return block_rate != 1 || block_momentum != 0; }
};

// Throws UserError that names the setting that is out of range.
void check_options(const LocalOptions& options);

// Which steps of a run, counted from 0, groups take alone. Blocks end at the latest with the epoch, so that the
// evaluated model is one that all ranks have.
class BlockPlan {
 public:
  BlockPlan() = default;
  BlockPlan(const LocalOptions& options, std::int64_t steps_per_epoch, std::int64_t total_steps)
      : options_(options), steps_per_epoch_(steps_per_epoch), total_steps_(total_steps) {}

  [[nodiscard]] bool is_alone(std::int64_t step) const { return options_.steps > 1 && step >= options_.after; }
  // For a step that is taken alone: whether models are averaged after it.
  [[nodiscard]] bool ends_block(std::int64_t step) const;
  // Whether ranks have different models after that many steps.
  [[nodiscard]] bool is_within_block(std::int64_t steps_done) const {
    return steps_done > 0 && is_alone(steps_done - 1) && !ends_block(steps_done - 1);
  }
  [[nodiscard]] bool goes_on_after(std::int64_t step) const { return step + 1 < total_steps_; }

 private:
  LocalOptions options_;
  std::int64_t steps_per_epoch_ = 1;
  std::int64_t total_steps_ = 1;
};

}  // namespace convoy
