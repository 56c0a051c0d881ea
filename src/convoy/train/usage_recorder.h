// Records what all ranks use, second by second.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "convoy/record/run_writer.h"
#include "convoy/train/observer.h"
#include "convoy/train/usage_sampler.h"

namespace convoy {

// Every rank has one and collects its own samples. Every ten seconds of training, and at the end, the first rank
// gathers and writes those of all ranks, so a run that is killed loses no more than the last ten seconds.
class UsageRecorder : public Observer {
 public:
  // Begins to sample. Only the first rank has a `writer`, which must outlive this object. `read` and `interval` are for
  // tests.
  UsageRecorder(RunWriter* writer, const Trainer& trainer, std::function<UsageReading()> read = {},
                std::chrono::milliseconds interval = std::chrono::seconds(1));

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  // Collective, as some calls of on_step() are.
  void on_end(const Trainer& trainer, const Outcome& outcome) override;
  // The other ranks may be gone, so the first one writes only its own samples.
  void on_failure(const std::exception& error) override;

 private:
  void gather(const Trainer& trainer);
  void write(std::vector<UsageRecord> records);

  RunWriter* writer_;
  double gathered_at_seconds_;  // in the run's own time, which is the same on all ranks
  UsageSampler sampler_;
};

}  // namespace convoy
