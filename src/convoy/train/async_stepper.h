// Steps of asynchronous training, in place of Stepper. They have a line of their own: a rank reduces, clips and updates
// nothing in its steps, so none of the order that Stepper keeps exists here.
//
//   parameters that have arrived ──> forward ──> backward ──> push of gradients
//
// See sync/async_shards.h for what becomes of a push.
#pragma once

#include <cstdint>
#include <optional>

#include "convoy/data/loader/loader.h"
#include "convoy/record/step_metrics.h"
#include "convoy/tensor/aligned_buffer.h"
#include "convoy/train/forward_pass.h"
#include "convoy/train/trainer_options.h"
#include "convoy/train/trainer_parts.h"

namespace convoy {

class AsyncStepper {
 public:
  // `parts` and `options` must outlive it; the replica has async().
  AsyncStepper(const TrainerParts& parts, const TrainerOptions& options);
  AsyncStepper(const AsyncStepper&) = delete;
  AsyncStepper& operator=(const AsyncStepper&) = delete;
  // Where an error ends training between meetings: the optimizer is not used afterwards.
  ~AsyncStepper();

  // Called on all ranks, which have the same model: they take that many steps apart.
  void begin(std::int64_t steps);
  // Like Stepper::take(); the next of these steps.
  StepMetrics take(const data::Batch& batch, std::int64_t step, double learning_rate);
  // Collective, after the last of these steps: all ranks have the same model again. Adds the time to `done`.
  void meet(StepMetrics& done);

  // The norm of this rank's gradients in the last step.
  [[nodiscard]] double gradient_norm() const;

 private:
  void compute_batch(const data::Batch& batch);
  void push(const data::Batch& batch, double learning_rate);
  void note(const char* name, Clock::time_point begin) const;

  const TrainerParts& parts_;
  const TrainerOptions& options_;
  ForwardPass forward_;
  AlignedBuffer earlier_pieces_;  // gradients of earlier pieces; empty if a batch is one piece

  // State of the current step.
  std::int64_t step_ = 0;
  StepMetrics done_;
};

}  // namespace convoy
