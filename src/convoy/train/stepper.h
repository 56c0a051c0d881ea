// One step of training. This is the only place that knows the order of a step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/data/loader/loader.h"
#include "convoy/record/step_metrics.h"
#include "convoy/sync/grain_sum.h"
#include "convoy/train/forward_pass.h"
#include "convoy/train/trainer_options.h"
#include "convoy/train/trainer_parts.h"

namespace convoy {

class Stepper {
 public:
  // `parts` must outlive it and have a replica. `blocks` says which steps groups of ranks take alone.
  Stepper(const TrainerParts& parts, const TrainerOptions& options, const BlockPlan& blocks);

  // Collective: updates the parameters on all ranks with the rows of all ranks or, in a step that groups take alone, on
  // the ranks of a group with the group's rows. A step that ends a block averages the models. `step` counts from 0.
  // Returns what this rank did, except what happens outside the step: waiting for input, wall time, CPU time.
  // `leaves_sums`: late sums may be left to the next step, which must then follow.
  StepMetrics take(const data::Batch& batch, std::int64_t step, double learning_rate, bool leaves_sums);

  // Of the last step, over all ranks, if it computed the norm.
  [[nodiscard]] std::optional<double> last_gradient_norm() const { return gradient_norm_; }

  // Returns when every parameter is up to date; the end of a step may leave some sums on their way.
  void settle() const { parts_.replica->reducer().settle(); }

  // Collective: makes the models of all ranks equal, even within a block.
  void average_models(bool goes_on);

 private:
  void compute_batch(const data::Batch& batch);
  void compute_grains(const data::Batch& batch);
  void forward(const data::Batch& batch, std::size_t first, std::size_t rows);
  [[nodiscard]] StepInfo step_info(const data::Batch& batch, std::size_t first) const;
  void backward_early_piece(bool is_first);
  void backward_last_piece(bool is_only_piece);
  void reduce(const std::function<void()>& make_ready);
  [[nodiscard]] float clip(double norm);
  void measure_all(float gradient_scale);
  void measure(const ArenaSlice& slice, float gradient_scale);
  void update(const ArenaSlice& slice, float gradient_scale);
  [[nodiscard]] double norm_over_ranks() const;
  void average_statistics();
  void begin_alone();
  [[nodiscard]] std::int64_t rows_of_group(const data::Batch& batch) const;
  void note(const char* name, Clock::time_point begin) const;
  void compute_placeholder(const data::Batch& batch);
  // The reducer of the ranks that take this step together.
  [[nodiscard]] GradientReducer& reducer() const {
    return is_alone_ ? parts_.replica->local()->reducer() : parts_.replica->reducer();
  }
  [[nodiscard]] Communicator& communicator() const {
    return is_alone_ ? parts_.replica->local()->communicator() : parts_.replica->communicator();
  }
  [[nodiscard]] std::span<float> gradients() const { return parts_.network.parameters().gradients(); }

  const TrainerParts& parts_;
  const TrainerOptions& options_;
  BlockPlan blocks_;
  ForwardPass forward_;
  std::optional<GrainSum> grains_;
  std::function<void(std::span<double>)> sum_over_ranks_;  // for batch norm; empty if it uses only own samples
  ParameterNeeded need_;                                   // waits for sums that the last step left
  std::vector<float> statistics_;                          // as they were before the step
  std::vector<double> squares_;                            // of what this rank counts; for layer-wise rules
  AlignedBuffer earlier_pieces_;                           // gradients of earlier pieces; empty if a batch is one piece

  // State of the current step.
  std::int64_t step_ = 0;
  bool is_alone_ = false;
  bool leaves_sums_ = false;
  double learning_rate_ = 0;
  StepMetrics done_;
  std::optional<double> gradient_norm_;
  Clock::time_point begin_;
};

}  // namespace convoy
