// Writes what all ranks use, second by second, into the record of a run.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "convoy/record/run_writer.h"
#include "convoy/train/observer.h"
#include "convoy/train/usage_sampler.h"

namespace convoy {

// Every rank has one. Samples are collected as they are taken, and every ten seconds of training, and in the end, the
// first rank gathers and writes those of all: a run that is killed loses no more than the last ten seconds of them.
class UsageRecorder : public Observer {
 public:
  // Begins to sample. `writer`, which only the first rank has, outlives it. `read` and `interval` are for tests.
  UsageRecorder(RunWriter* writer, const Trainer& trainer, std::function<UsageReading()> read = {},
                std::chrono::milliseconds interval = std::chrono::seconds(1));

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  // Collective, as is a step now and then.
  void on_end(const Trainer& trainer, const Outcome& outcome) override;
  // The other ranks may be gone: the first one writes what it has of its own.
  void on_failure(const std::exception& error) override;

 private:
  void gather(const Trainer& trainer);
  void write(std::vector<UsageRecord> records);

  RunWriter* writer_;
  double gathered_at_seconds_;  // of the run: the same on all ranks, unlike a clock
  UsageSampler sampler_;
};

}  // namespace convoy
