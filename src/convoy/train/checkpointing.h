// Saves checkpoints during training: after each epoch, every so often within one, and when it is interrupted.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/train/model_card.h"
#include "convoy/train/observer.h"

namespace convoy {

class WeightAverage;

struct CheckpointPlan {
  std::int64_t every_steps = 0;  // within an epoch; 0: none
  double every_seconds = std::numeric_limits<double>::infinity();
  int keep = 2;  // besides the best; 0: no checkpoints are written, not even the best
};

// In the run's folder, beside its checkpoints: the moving average of the weights at the last checkpoint.
inline constexpr const char* kAveragedFile = "averaged.safetensors";

class Checkpointing : public Observer {
 public:
  // `store` and `card` must outlive it. Only the first of several ranks has a store and writes; the others pass null.
  // `run` is saved in each checkpoint (checkpoint.h).
  Checkpointing(CheckpointStore* store, const ModelCard& card, std::string data, const CheckpointPlan& plan,
                nlohmann::ordered_json run = nullptr);

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  void on_epoch(const Trainer& trainer, const EpochEvent& event) override;
  void on_end(const Trainer& trainer, const Outcome& outcome) override;

 private:
  // Throws DivergedError, leaving the existing checkpoints, when a weight is no longer finite.
  void save(const Trainer& trainer, bool is_best);
  void save_average(WeightAverage& average, std::int64_t step) const;

  CheckpointStore* store_;
  const ModelCard& card_;
  std::string data_;
  CheckpointPlan plan_;
  nlohmann::ordered_json run_;
  // In the run's time, which unlike a clock is the same on all ranks; below 0 before the first step.
  double saved_at_seconds_ = -1;
  std::int64_t saved_step_ = -1;
  bool is_due_ = false;
};

}  // namespace convoy
