// Trains a network, epoch after epoch, on one rank or as one of many. Stepper does the steps.
//
//   Trainer trainer({network, *optimizer, rate, source, evaluator}, options);
//   trainer.add(observer);
//   const Outcome outcome = trainer.run();
//
// The numbers depend only on the parts and the options, not on when training was interrupted: a trainer that gets the
// state, parameters and optimizer's state of another continues where that one was, to the bit.
//
// With several ranks, each has a trainer with the same options and calls the same functions. After every step all of
// them know what each did, so that they decide alike: state() is the same everywhere. In asynchronous training this
// holds for meetings of all ranks, every few seconds and at the end of each epoch; observers hear of the steps since
// the last meeting there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/train/observer.h"
#include "convoy/train/trainer_options.h"
#include "convoy/train/trainer_parts.h"
#include "convoy/train/training_state.h"

namespace convoy {

namespace data {
struct Batch;
struct LoaderOptions;
}  // namespace data
class MachineLoad;
class WeightAverage;
class AsyncStepper;
class Stepper;
class StepReports;
struct StepReport;

class Trainer {
 public:
  // Throws UserError for options out of range and parts that do not belong together.
  Trainer(const TrainerParts& parts, const TrainerOptions& options);
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;
  ~Trainer();

  // Observers are called in the order in which they were added; `observer` must outlive the trainer.
  void add(Observer& observer) { observers_.push_back(&observer); }

  // Trains from the current state to the last epoch, or until something stops it. `interrupted` is called after each
  // step. Throws DivergedError when the loss or the gradient is no longer finite.
  Outcome run(std::function<bool()> interrupted = [] { return false; });

  [[nodiscard]] const TrainingState& state() const { return state_; }
  void set_state(const TrainingState& state) { state_ = state; }

  [[nodiscard]] std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  [[nodiscard]] std::int64_t total_steps() const { return options_.epochs * steps_per_epoch_; }
  // With every parameter up to date: otherwise late sums might still change some until the next step. Within an epoch,
  // parameters that another node updates may be rounded to the precision that kernels read (see sync/sharded_update.h).
  [[nodiscard]] const TrainerParts& parts() const;
  // Whether groups of ranks currently have different models, until they average them.
  [[nodiscard]] bool is_within_block() const;
  // Null if no average of the weights was asked for.
  [[nodiscard]] WeightAverage* average() const { return average_.get(); }
  [[nodiscard]] int rank() const { return parts_.replica->rank(); }
  [[nodiscard]] int ranks() const { return parts_.replica->size(); }

 private:
  Outcome train_with_others();
  Outcome train();
  [[nodiscard]] std::optional<Outcome> reason_to_end() const;
  [[nodiscard]] data::LoaderOptions loader_options() const;
  void take_step(const data::Batch& batch);
  void take_step_apart(const data::Batch& batch);
  [[nodiscard]] std::int64_t steps_until_meeting() const;
  void finish_steps(std::span<const StepReport> own);
  void finish_step(std::span<const StepReport> reports);
  [[nodiscard]] StepReport report(const data::Batch& batch, StepMetrics done, bool compares);
  [[nodiscard]] bool compares_weights() const;
  [[nodiscard]] std::int64_t counted_steps() const;
  std::span<const float> whole_parameters();
  void require_finite(double value, const char* what) const;
  void require_same_weights(std::span<const StepReport> reports) const;
  void count_step(const StepMetrics& total);
  [[nodiscard]] StepRecord describe_step(std::int64_t of_rank, const StepMetrics& done) const;
  void tell_step(std::span<const StepReport> reports, const StepMetrics& total);
  double lap();
  void finish_epoch();
  void begin_epoch();
  void add_machine_load(EpochRecord& record);
  [[nodiscard]] EpochRecord describe_epoch() const;
  [[nodiscard]] std::optional<Tally> evaluate();
  void add_metrics(const Tally& test, EpochEvent& event);
  [[nodiscard]] bool evaluate_average(EpochEvent& event);

  template <typename Tell>
  void tell(Tell&& tell_one) const {
    for (Observer* observer : observers_) tell_one(*observer);
  }

  std::optional<Replica> alone_;  // used if the parts have no replica
  TrainerParts parts_;
  TrainerOptions options_;
  std::int64_t steps_per_epoch_;
  BlockPlan blocks_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<AsyncStepper> apart_;  // null unless training is asynchronous
  std::int64_t steps_to_meeting_ = 0;    // for apart_: how many are left
  std::vector<StepReport> uncounted_;    // for apart_: of the steps since the last meeting
  std::unique_ptr<StepReports> reports_;
  std::unique_ptr<WeightAverage> average_;
  std::vector<Observer*> observers_;
  TrainingState state_;

  std::function<bool()> interrupted_;
  bool is_interrupted_ = false;  // at least one rank was asked to stop
  Clock::time_point lap_;
  double cpu_lap_ = 0;
  std::uint64_t wire_lap_ = 0;
  double reports_seconds_ = 0;  // how long the exchange of the last step's reports took
  std::unique_ptr<MachineLoad> machine_load_;
  // Whether the current epoch began in this sitting, instead of being resumed in its middle.
  bool saw_epoch_begin_ = false;

  // Of the step that was counted last.
  double learning_rate_ = 0;
  StepEvent event_;  // a member to reuse the memory of its list
};

}  // namespace convoy
