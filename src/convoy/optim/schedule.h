// The learning rate of each step. It is a pure function of the step's number, so that a resumed training needs no saved
// state for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

// The learning-rate schedules, their names, and their options. All lengths are in steps.
enum class ScheduleKind : std::uint8_t { constant, step, cosine, polynomial, one_cycle };

// "constant", "step", "cosine", "polynomial", "one-cycle": the names users write, in the order of ScheduleKind.
[[nodiscard]] const std::vector<std::string>& schedule_names();
// Throws UserError with the nearest name when `text` is none of them.
[[nodiscard]] ScheduleKind schedule_named(std::string_view text);

// Options that a schedule does not use are ignored.
struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::constant;
  double learning_rate = 0.1;            // the highest rate; > 0
  std::int64_t steps = 1;                // of the whole training, including warm-up; >= 1
  std::int64_t warmup_steps = 0;         // over which the rate grows linearly from nearly 0; less than `steps`
  std::vector<std::int64_t> milestones;  // step: from each of these on the rate is multiplied by `factor`; ascending
  std::int64_t every = 0;                // step: or at every multiple of this; exactly one of the two must be given
  double factor = 0.1;                   // step: (0, 1]
  double final_fraction = 0;             // cosine, polynomial: the share of the rate that is left at the end; [0, 1]
  double power = 1;                      // polynomial: 1 falls in a straight line; > 0
  double start_divisor = 25;             // one-cycle: starts at rate / start_divisor; >= 1
  double end_divisor = 250000;           // one-cycle: ends at rate / end_divisor; >= 1
  double rise_fraction = 0.3;            // one-cycle: share of the steps over which the rate rises; [0, 1)
};

// Throws UserError naming the option and its range.
void check_options(const ScheduleOptions& options);

// The rate for a global batch, given a rate tuned for 256 samples: it grows in proportion (Goyal et al. 2017). Throws
// UserError unless both are positive and the result is finite.
[[nodiscard]] double scaled_rate(double rate_per_256, std::int64_t global_batch);

// The same in proportion to the square root of the batch (Krizhevsky 2014; usual with layer-wise rules).
[[nodiscard]] double root_scaled_rate(double rate_per_256, std::int64_t global_batch);

class Schedule {
 public:
  // Throws UserError naming the option and its range.
  explicit Schedule(ScheduleOptions options);

  // The rate of a step, counted from 0 (otherwise UserError); after the last step, the rate at the end of the schedule.
  // Over W steps of warm-up it grows by equal amounts, and step W is the first at the schedule's own rate. Cosine,
  // polynomial and one-cycle then run over the remaining steps; milestones count from the start of training.
  [[nodiscard]] double learning_rate(std::int64_t step) const;

  [[nodiscard]] const ScheduleOptions& options() const { return options_; }

 private:
  [[nodiscard]] double rate_without_warmup(std::int64_t step) const;
  [[nodiscard]] double step_rate(std::int64_t step) const;
  [[nodiscard]] double one_cycle_rate(double step, double steps) const;

  ScheduleOptions options_;
};

}  // namespace convoy
