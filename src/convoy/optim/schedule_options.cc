#include "convoy/optim/schedule_options.h"

#include <algorithm>
#include <cmath>
#include <functional>

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
  check_rate(options.rate);
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

}  // namespace convoy
