#include "convoy/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/name_index.h"

namespace convoy {
namespace {

void check_rate(double rate) {
  if (!(rate > 0 && std::isfinite(rate)))
    throw UserError("learning rate must be finite and greater than 0, got {}", rate);
}

void check_lengths(const ScheduleOptions& options) {
  if (options.steps < 1) throw UserError("steps must be at least 1, got {}", options.steps);
  if (options.warmup_steps < 0) throw UserError("warm-up must be at least 0 steps, got {}", options.warmup_steps);
  if (options.warmup_steps >= options.steps) {
    throw UserError("warm-up of {} steps leaves nothing of a training of {}", options.warmup_steps, options.steps);
  }
}

void check_step(const ScheduleOptions& options) {
  const auto& milestones = options.milestones;
  if (options.every < 0) throw UserError("every must be at least 1 step, got {}", options.every);
  if (milestones.empty() == (options.every == 0)) {
    throw UserError("schedule \"step\" takes either milestones or a number of steps between drops");
  }
  if (!std::ranges::is_sorted(milestones, std::less_equal<>()) || (!milestones.empty() && milestones.front() < 1)) {
    throw UserError("milestones must be at least 1 and ascending, got {}", fmt::join(milestones, ", "));
  }
  if (!(options.factor > 0 && options.factor <= 1)) {
    throw UserError("factor must be greater than 0 and at most 1, got {}", options.factor);
  }
}

void check_final_fraction(double fraction) {
  if (!(fraction >= 0 && fraction <= 1)) throw UserError("final fraction must be from 0 to 1, got {}", fraction);
}

void check_power(double power) {
  if (!(power > 0 && std::isfinite(power))) throw UserError("power must be greater than 0, got {}", power);
}

void check_divisor(std::string_view name, double divisor) {
  if (!(divisor >= 1 && std::isfinite(divisor))) throw UserError("{} must be at least 1, got {}", name, divisor);
}

void check_one_cycle(const ScheduleOptions& options) {
  check_divisor("start divisor", options.start_divisor);
  check_divisor("end divisor", options.end_divisor);
  if (!(options.rise_fraction >= 0 && options.rise_fraction < 1)) {
    throw UserError("rise fraction must be at least 0 and less than 1, got {}", options.rise_fraction);
  }
}

}  // namespace

const std::vector<std::string>& schedule_names() {
  static const std::vector<std::string> names = {"constant", "step", "cosine", "polynomial", "one-cycle"};
  return names;
}

ScheduleKind schedule_named(std::string_view text) {
  return static_cast<ScheduleKind>(name_index("schedule", text, schedule_names()));
}

void check_options(const ScheduleOptions& options) {
  check_rate(options.learning_rate);
  check_lengths(options);
  check_final_fraction(options.final_fraction);
  check_power(options.power);
  check_one_cycle(options);
  if (options.kind == ScheduleKind::step) check_step(options);
}

double scaled_rate(double rate_per_256, std::int64_t global_batch) {
  check_rate(rate_per_256);
  if (global_batch < 1) throw UserError("global batch must be at least 1, got {}", global_batch);
  const double rate = rate_per_256 * static_cast<double>(global_batch) / 256;
  check_rate(rate);
  return rate;
}

double root_scaled_rate(double rate_per_256, std::int64_t global_batch) {
  check_rate(rate_per_256);
  if (global_batch < 1) throw UserError("global batch must be at least 1, got {}", global_batch);
  return rate_per_256 * std::sqrt(static_cast<double>(global_batch) / 256);
}

namespace {

// Half a cosine wave from one rate to the other, as progress goes from 0 to 1.
double cosine_between(double from, double to, double progress) {
  return to + (from - to) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

// The share of `whole` that is done; 0 when `whole` is empty.
double progress_of(double done, double whole) { return whole > 0 ? std::clamp(done / whole, 0.0, 1.0) : 0; }

}  // namespace

Schedule::Schedule(ScheduleOptions options) : options_(std::move(options)) { check_options(options_); }

double Schedule::learning_rate(std::int64_t step) const {
  if (step < 0) throw UserError("there is no step {}: steps count from 0", step);
  const std::int64_t warmup = options_.warmup_steps;
  if (step >= warmup) return rate_without_warmup(step);
  return rate_without_warmup(warmup) * static_cast<double>(step + 1) / static_cast<double>(warmup + 1);
}

double Schedule::rate_without_warmup(std::int64_t step) const {
  const auto done = static_cast<double>(step - options_.warmup_steps);
  const auto whole = static_cast<double>(options_.steps - options_.warmup_steps);
  const double progress = progress_of(done, whole);
  const double last = options_.learning_rate * options_.final_fraction;
  switch (options_.kind) {
    case ScheduleKind::constant:
      return options_.learning_rate;
    case ScheduleKind::step:
      return step_rate(step);
    case ScheduleKind::cosine:
      return cosine_between(options_.learning_rate, last, progress);
    case ScheduleKind::polynomial:
      return last + (options_.learning_rate - last) * std::pow(1 - progress, options_.power);
    case ScheduleKind::one_cycle:
      return one_cycle_rate(done, whole);
  }
  throw InternalError("no such kind of schedule");
}

double Schedule::step_rate(std::int64_t step) const {
  const std::int64_t drops = options_.every > 0
                                 ? step / options_.every
                                 : std::ranges::upper_bound(options_.milestones, step) - options_.milestones.begin();
  return options_.learning_rate * std::pow(options_.factor, static_cast<double>(drops));
}

// As in PyTorch's OneCycleLR, and unlike the other schedules, it reaches its final rate in the last step and not after
// it.
double Schedule::one_cycle_rate(double step, double steps) const {
  const double peak = options_.learning_rate;
  const double peak_step = std::max(options_.rise_fraction * steps - 1, 0.0);
  if (step < peak_step) {
    return cosine_between(peak / options_.start_divisor, peak, progress_of(step, peak_step));
  }
  return cosine_between(peak, peak / options_.end_divisor, progress_of(step - peak_step, steps - 1 - peak_step));
}

}  // namespace convoy
