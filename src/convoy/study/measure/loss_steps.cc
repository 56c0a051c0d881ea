#include "convoy/study/measure/loss_steps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace convoy::study {
namespace {

// The records of one step, a rank each.
std::span<const StepRecord> ranks_of_step(std::span<const StepRecord> steps, std::size_t begin) {
  std::size_t end = begin;
  while (end < steps.size() && steps[end].step == steps[begin].step) ++end;
  return steps.subspan(begin, end - begin);
}

// A step ends when its slowest rank does.
double seconds_of(std::span<const StepRecord> ranks) {
  double slowest = 0;
  for (const StepRecord& rank : ranks) {
    if (std::isfinite(rank.seconds)) slowest = std::max(slowest, rank.seconds);
  }
  return slowest;
}

LossStep after(const LossStep& before, std::span<const StepRecord> ranks) {
  double samples = 0;
  double loss = 0;
  for (const StepRecord& rank : ranks) {
    if (rank.samples <= 0) continue;  // has no loss
    samples += static_cast<double>(rank.samples);
    loss += rank.loss * static_cast<double>(rank.samples);
  }
  return {.seconds = before.seconds + seconds_of(ranks), .samples = before.samples + samples, .loss = loss / samples};
}

// Where the epoch of this last step ended: after its evaluation, which the next step had to wait for.
double end_of_epoch(const RunRecord& run, std::int64_t last_step, double otherwise) {
  const auto epoch = std::ranges::find(run.epochs, last_step, &EpochRecord::end_step);
  if (epoch == run.epochs.end() || !std::isfinite(epoch->elapsed_seconds)) return otherwise;
  return std::max(otherwise, epoch->elapsed_seconds);
}

}  // namespace

std::vector<LossStep> loss_steps(const RunRecord& run) {
  std::vector<LossStep> steps;
  LossStep last;
  std::int64_t number = 0;
  for (std::size_t at = 0; at < run.steps.size();) {
    const std::span<const StepRecord> ranks = ranks_of_step(run.steps, at);
    at += ranks.size();
    if (ranks.front().step != ++number) return {};
    steps.push_back(last = after(last, ranks));
    last.seconds = end_of_epoch(run, number, last.seconds);
  }
  if (!run.epochs.empty() && run.epochs.back().end_step > number) return {};
  return steps;
}

}  // namespace convoy::study
