// Trains a network: the only place that knows the order of a step.
//
//   Trainer trainer({network, *optimizer, rate, source, evaluator}, options);
//   trainer.add(observer);
//   const Outcome outcome = trainer.run();
//
// Numbers depend on the parts and the options alone, not on when training was interrupted: a trainer that is given the
// state, parameters and optimizer's memory of another goes on where that one was, to the bit.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/data/loader.h"
#include "convoy/engine/network.h"
#include "convoy/optim/optimizer.h"
#include "convoy/train/evaluator.h"
#include "convoy/train/observer.h"
#include "convoy/train/trainer_options.h"
#include "convoy/train/training_state.h"

namespace convoy {

// What training works with. All of it outlives the trainer.
struct TrainerParts {
  Network& network;  // compiled for rows_of_piece()
  Optimizer& optimizer;
  std::function<double(std::int64_t)> rate;  // the learning rate of a step, counted from 0
  const data::Source& source;
  Evaluator& evaluator;
};

class Trainer {
 public:
  // Throws UserError for options out of range.
  Trainer(const TrainerParts& parts, const TrainerOptions& options);

  // Told in the order of adding; `observer` outlives the trainer.
  void add(Observer& observer) { observers_.push_back(&observer); }

  // Trains from where the state is to the last epoch, or until something stops it. `interrupted` is asked after each
  // step. Throws DivergedError when the loss or the gradient is not a number any more.
  Outcome run(std::function<bool()> interrupted = [] { return false; });

  [[nodiscard]] const TrainingState& state() const { return state_; }
  void set_state(const TrainingState& state) { state_ = state; }

  [[nodiscard]] std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  [[nodiscard]] std::int64_t total_steps() const { return options_.epochs * steps_per_epoch_; }
  [[nodiscard]] const TrainerParts& parts() const { return parts_; }

 private:
  Outcome train();
  [[nodiscard]] std::optional<Outcome> reason_to_end() const;
  [[nodiscard]] data::LoaderOptions loader_options() const;
  void take_step(const data::Batch& batch);
  void forward(const data::Batch& batch, std::size_t first, std::size_t rows);
  void accumulate(bool is_first);
  void finish_gradients(bool is_only_piece);
  void update(const ArenaSlice& slice, float gradient_scale);
  void require_finite(double value, const char* what) const;
  void count_step(const data::Batch& batch, double compute_seconds);
  double lap();
  void finish_epoch();
  [[nodiscard]] EpochRecord describe_epoch() const;
  [[nodiscard]] std::optional<Tally> evaluate();
  void add_metrics(const Tally& test, EpochEvent& event);

  template <typename Tell>
  void tell(Tell&& tell_one) const {
    for (Observer* observer : observers_) tell_one(*observer);
  }

  TrainerParts parts_;
  TrainerOptions options_;
  std::int64_t steps_per_epoch_;
  std::vector<Observer*> observers_;
  TrainingState state_;

  std::function<bool()> interrupted_;
  Clock::time_point lap_;
  double cpu_lap_ = 0;

  // Of the running step.
  double rate_ = 0;
  double step_loss_ = 0;          // over rows
  AlignedBuffer earlier_pieces_;  // their gradients; empty when a batch is one piece
};

}  // namespace convoy
