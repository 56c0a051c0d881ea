// Writes curves for TensorBoard while a run goes on.
#pragma once

#include <filesystem>
#include <span>

#include "convoy/base/file/output_file.h"
#include "convoy/exchange/tensorboard/event_file.h"
#include "convoy/train/observer.h"

namespace convoy {

class LiveCurves : public Observer {
 public:
  // Starts a new event file in `folder`, which is created. For a run that goes on after `first_step` steps, points of
  // later steps in earlier files no longer count. Histograms of weights are written after every `histogram_epochs`
  // epochs; 0: never.
  LiveCurves(const std::filesystem::path& folder, std::span<const HyperParameter> parameters, std::int64_t first_step,
             std::int64_t histogram_epochs);

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  void on_epoch(const Trainer& trainer, const EpochEvent& event) override;
  void on_end(const Trainer& trainer, const Outcome& outcome) override;
  void on_failure(const std::exception& error) override;

 private:
  void add_histograms(const Trainer& trainer, std::int64_t step, double now);
  // Writes what was added to the disk, where TensorBoard sees it.
  void write() { file_.write(events_.take_bytes()); }

  EventFile events_;
  OutputFile file_;
  std::int64_t histogram_epochs_;
};

}  // namespace convoy
