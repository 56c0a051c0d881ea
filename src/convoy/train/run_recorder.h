// Writes what happens in a training to the record of its run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/record/run_writer.h"
#include "convoy/train/observer.h"

namespace convoy {

class RunRecorder : public Observer {
 public:
  // `writer` must outlive it; `classes` are the names of the classes. For a run that goes on, `earlier` is its old
  // summary, whose results by class stay until the next evaluation.
  RunRecorder(RunWriter& writer, std::vector<std::string> classes, RunSummary earlier = {});

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  void on_epoch(const Trainer& trainer, const EpochEvent& event) override;
  void on_end(const Trainer& trainer, const Outcome& outcome) override;
  void on_failure(const std::exception& error) override;

  // As it was last written.
  [[nodiscard]] const RunSummary& summary() const { return summary_; }

 private:
  void write(RunStatus status, const std::string& reason);
  void add_classes(RunSummary& summary) const;

  RunWriter& writer_;
  RunSummary earlier_;
  RunSummary summary_;
  std::optional<Tally> test_;  // the last evaluation
  bool stopped_within_epoch_ = false;
  double elapsed_seconds_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace convoy
