// The learning rate of each step: a pure function of the step's number, so that a resumed training needs no memory.
#pragma once

#include "convoy/optim/schedule_options.h"

namespace convoy {

class Schedule {
 public:
  // Throws UserError naming the option and its range.
  explicit Schedule(ScheduleOptions options);

  // The rate of a step, counted from 0 (else UserError); after the last step the end of the schedule. Over W steps of
  // warm-up it grows by equal amounts, and step W is the first at the schedule's own rate. Cosine, polynomial and
  // one-cycle then run over the steps that are left; milestones count from the start of training.
  [[nodiscard]] double rate(std::int64_t step) const;

  [[nodiscard]] const ScheduleOptions& options() const { return options_; }

 private:
  [[nodiscard]] double rate_without_warmup(std::int64_t step) const;
  [[nodiscard]] double step_rate(std::int64_t step) const;
  [[nodiscard]] double one_cycle_rate(double step, double steps) const;

  ScheduleOptions options_;
};

}  // namespace convoy
