// The events of a training, for observers that show, record or save them.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "convoy/record/epoch_record.h"
#include "convoy/record/step_record.h"
#include "convoy/train/tally.h"

namespace convoy {

class Trainer;

struct StepEvent {
  StepRecord record;               // of all ranks together; times are those of the slowest rank, or means
  std::vector<StepRecord> ranks;   // of each rank, in order
  std::int64_t step_of_epoch = 0;  // from 1
  std::int64_t steps_per_epoch = 0;
  bool is_newest = true;  // false where further steps follow at once: those since a meeting of asynchronous training
  double epoch_loss = 0;  // of the epoch so far
  double epoch_top1 = 0;
  std::optional<double> gradient_norm;  // over all ranks; absent in steps that did not compute it
};

struct EpochEvent {
  EpochRecord record;
  const Tally* test = nullptr;  // null when this epoch was not evaluated
  bool is_best = false;
};

enum class EndKind { completed, stopped_early, interrupted };

struct Outcome {
  EndKind kind = EndKind::completed;
  std::string reason;         // why it ended before its last epoch
  std::optional<Tally> test;  // if it was stopped within an epoch: the evaluation at that point
};

// Everything is called on the training thread, between steps, so slow observers slow down training.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  virtual void on_step(const Trainer& trainer, const StepEvent& event) { (void)trainer, (void)event; }
  // How many samples of the test data have been evaluated so far.
  virtual void on_evaluation(std::int64_t done, std::int64_t total) { (void)done, (void)total; }
  virtual void on_epoch(const Trainer& trainer, const EpochEvent& event) { (void)trainer, (void)event; }
  virtual void on_end(const Trainer& trainer, const Outcome& outcome) { (void)trainer, (void)outcome; }
  // Training cannot go on; the exception will be thrown after this.
  virtual void on_failure(const std::exception& error) { (void)error; }
};

}  // namespace convoy
