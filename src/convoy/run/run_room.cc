#include "convoy/run/run_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/number_text.h"
#include "convoy/graph/parameters.h"
#include "convoy/optim/optimizer.h"

namespace convoy {
namespace {

// More than the names and shapes of a tensor take in a file's header.
constexpr std::int64_t kHeaderBytes = 200;
// More than a step takes in steps.jsonl and steps.csv together, as measured.
constexpr std::int64_t kStepBytes = 600;
// Everything else in the folder: settings, choices, summaries.
constexpr std::int64_t kOtherBytes = 1 << 20;

struct CheckpointSize {
  std::int64_t weights = 0;
  std::int64_t optimizer = 0;

  [[nodiscard]] std::int64_t total() const { return weights + optimizer + kHeaderBytes; }
};

// One value for each parameter and for each state that the rule remembers of it; batch norms also have a mean and a
// variance where they have a scale and a shift.
CheckpointSize size_of_checkpoint(const TrainingPlan& plan) {
  constexpr auto kFloat = static_cast<std::int64_t>(sizeof(float));
  const auto states = static_cast<std::int64_t>(make_optimizer(plan.optimizer, 1)->state().size());
  CheckpointSize size;
  for (const Parameter& parameter : parameters_of(plan.graph)) {
    const bool of_batch_norm = parameter.role == ParameterRole::scale || parameter.role == ParameterRole::shift;
    const std::int64_t bytes = parameter.shape.count() * kFloat + kHeaderBytes;
    size.weights += bytes * (of_batch_norm ? 2 : 1);
    if (!plan.frozen.contains(parameter.name)) size.optimizer += states * bytes;
  }
  return size;
}

std::int64_t steps_per_epoch(const TrainingPlan& plan) {
  return (plan.source->size(data::Split::train) + plan.trainer.batch - 1) / plan.trainer.batch;
}

// Where seconds decide, nobody knows how many there will be: one more in each epoch is a guess.
std::int64_t saves_of(const TrainingPlan& plan) {
  const std::int64_t every = plan.checkpoints.every_steps;
  const std::int64_t within = every > 0                                       ? steps_per_epoch(plan) / every
                              : std::isfinite(plan.checkpoints.every_seconds) ? 1
                                                                              : 0;
  return plan.trainer.epochs * (1 + within);
}

// A run that may end long before its last epoch is not refused for what it will hardly write.
std::int64_t record_bytes(const TrainingPlan& plan) {
  const StopOptions& stop = plan.trainer.stop;
  const bool may_end_early = stop.target_top1 || stop.patience > 0 || std::isfinite(stop.max_seconds);
  return (may_end_early ? 1 : plan.trainer.epochs) * steps_per_epoch(plan) * plan.workers * kStepBytes + kOtherBytes;
}

}  // namespace

std::int64_t most_copies(std::int64_t saves, int keep, bool has_best) {
  if (saves == 0 || keep == 0) return 0;
  const std::int64_t earlier = std::min<std::int64_t>(saves - 1, keep);
  const std::int64_t best = has_best ? 1 : 0;
  return earlier + (saves > 1 ? best : 0) + 1 + best;
}

RoomNeeded room_for_run(const TrainingPlan& plan, std::int64_t present_bytes) {
  const CheckpointSize size = size_of_checkpoint(plan);
  const int keep = plan.checkpoints.keep;
  const bool has_best = plan.trainer.evaluate_every > 0;
  const std::int64_t copies = most_copies(saves_of(plan), keep, has_best);
  // One at least has to be written yet.
  const std::int64_t checkpoints =
      std::max(most_copies(1, keep, has_best) * size.total(), copies * size.total() - present_bytes);
  RoomNeeded room{.bytes = checkpoints + record_bytes(plan), .largest_file_bytes = 0, .what = "for its records"};
  if (copies == 0) return room;
  room.largest_file_bytes = std::max(size.weights, size.optimizer);
  room.what = fmt::format("for {} checkpoints of {} at once, with --keep {}, and the records", copies,
                          bytes_text(static_cast<double>(size.total())), keep);
  return room;
}

}  // namespace convoy
