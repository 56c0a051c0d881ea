#include "convoy/train/async_stepper.h"

#include <algorithm>

#include "convoy/base/clock.h"
#include "convoy/optim/gradient_norm.h"
#include "convoy/sync/local_steps.h"
#include "convoy/train/gradient_sum.h"

namespace convoy {

AsyncStepper::AsyncStepper(const TrainerParts& parts, const TrainerOptions& options)
    : parts_(parts), options_(options), forward_(parts) {
  if (options.accumulate > 1) {
    earlier_pieces_ = AlignedBuffer(parts.network.parameters().gradients().size() * sizeof(float));
  }
}

AsyncStepper::~AsyncStepper() { parts_.replica->async()->abandon(); }

// Each push is a step of the optimizer, at a part of the learning rate that corresponds to the rank's part of the
// batch: those of all ranks together go as far as one step on the whole batch, whatever the rule.
void AsyncStepper::begin(std::int64_t steps) {
  parts_.replica->async()->open(steps, [this](const ArenaSlice& shard, std::span<float> parameters,
                                              std::span<const float> gradients, double rate) {
    parts_.optimizer.begin_step(rate);
    parts_.optimizer.update(shard.offset, parameters, gradients);
  });
}

StepMetrics AsyncStepper::take(const data::Batch& batch, std::int64_t step, double learning_rate) {
  const auto begin = Clock::now();
  step_ = step;
  done_ = {.samples = static_cast<std::int64_t>(batch.labels.size())};
  if (parts_.replica->async()->refresh()) parts_.network.parameters().renew_copies();
  note("refresh", begin);
  double exposed = seconds_since(begin);
  compute_batch(batch);
  const auto computed = Clock::now();
  push(batch, learning_rate);
  note("push", computed);
  exposed += seconds_since(computed);
  done_.times.exposed_communication_seconds = exposed;
  done_.times.communication_seconds = exposed;
  done_.times.compute_seconds = seconds_since(begin) - exposed;
  return done_;
}

// In the last batch of an epoch a rank may have no rows.
void AsyncStepper::compute_batch(const data::Batch& batch) {
  const std::size_t rows = batch.labels.size();
  const auto most = static_cast<std::size_t>(rows_of_piece(options_, parts_.replica->size()));
  const std::span<float> gradients = parts_.network.parameters().gradients();
  for (std::size_t first = 0; first < rows; first += most) {
    const StepInfo info{.seed = options_.seed,
                        .step = static_cast<std::uint64_t>(step_),
                        .first_sample = static_cast<std::uint64_t>(batch.first_row) + first,
                        .gradient_scale = 1.0F / static_cast<float>(rows)};
    forward_.run(batch, first, std::min(most, rows - first), info, {}, done_);
    const auto begin = Clock::now();
    parts_.network.backward();
    note("backward", begin);
    if (rows <= most) return;
    if (first > 0) add_gradients(earlier_pieces_.floats(), gradients);
    if (first + most < rows) copy_gradients(gradients, earlier_pieces_.floats());
  }
}

void AsyncStepper::push(const data::Batch& batch, double learning_rate) {
  const auto rows = static_cast<std::int64_t>(batch.labels.size());
  const double share = static_cast<double>(rows) / static_cast<double>(batch.global_rows);
  parts_.replica->async()->push(learning_rate * share, rows);
}

void AsyncStepper::meet(StepMetrics& done) {
  const auto begin = Clock::now();
  ParameterStore& store = parts_.network.parameters();
  parts_.replica->async()->close();
  store.renew_copies();
  average_over(parts_.replica->communicator(), store.statistics(), Algorithm::hierarchical);
  done.times.exposed_communication_seconds += seconds_since(begin);
  done.times.communication_seconds += seconds_since(begin);
  note("meet", begin);
}

double AsyncStepper::gradient_norm() const { return convoy::gradient_norm(parts_.network.parameters().gradients()); }

void AsyncStepper::note(const char* name, Clock::time_point begin) const {
  if (parts_.timeline != nullptr) parts_.timeline->add(Lane::compute, name, begin);
}

}  // namespace convoy
