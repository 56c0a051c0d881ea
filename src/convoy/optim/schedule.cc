#include "convoy/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {
namespace {

// Half a cosine wave from one rate to the other, for progress from 0 to 1.
double cosine_between(double from, double to, double progress) {
  return to + (from - to) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

// How far `done` is on the way of length `whole`. A way without length is at its start.
double progress_of(double done, double whole) { return whole > 0 ? std::clamp(done / whole, 0.0, 1.0) : 0; }

}  // namespace

Schedule::Schedule(ScheduleOptions options) : options_(std::move(options)) { check_options(options_); }

double Schedule::rate(std::int64_t step) const {
  if (step < 0) throw UserError("there is no step {}: steps count from 0", step);
  const std::int64_t warmup = options_.warmup_steps;
  if (step >= warmup) return rate_without_warmup(step);
  return rate_without_warmup(warmup) * static_cast<double>(step + 1) / static_cast<double>(warmup + 1);
}

double Schedule::rate_without_warmup(std::int64_t step) const {
  const auto done = static_cast<double>(step - options_.warmup_steps);
  const auto whole = static_cast<double>(options_.steps - options_.warmup_steps);
  const double progress = progress_of(done, whole);
  const double last = options_.rate * options_.final_fraction;
  switch (options_.kind) {
    case ScheduleKind::constant:
      return options_.rate;
    case ScheduleKind::step:
      return step_rate(step);
    case ScheduleKind::cosine:
      return cosine_between(options_.rate, last, progress);
    case ScheduleKind::polynomial:
      return last + (options_.rate - last) * std::pow(1 - progress, options_.power);
    case ScheduleKind::one_cycle:
      return one_cycle_rate(done, whole);
  }
  throw InternalError("no such kind of schedule");
}

double Schedule::step_rate(std::int64_t step) const {
  const std::int64_t drops = options_.every > 0
                                 ? step / options_.every
                                 : std::ranges::upper_bound(options_.milestones, step) - options_.milestones.begin();
  return options_.rate * std::pow(options_.factor, static_cast<double>(drops));
}

// As PyTorch's OneCycleLR: unlike the others it reaches its end in the last step and not after it.
double Schedule::one_cycle_rate(double step, double steps) const {
  const double peak = options_.rate;
  const double peak_step = std::max(options_.rise_fraction * steps - 1, 0.0);
  if (step < peak_step) {
    return cosine_between(peak / options_.start_divisor, peak, progress_of(step, peak_step));
  }
  return cosine_between(peak, peak / options_.end_divisor, progress_of(step - peak_step, steps - 1 - peak_step));
}

}  // namespace convoy
