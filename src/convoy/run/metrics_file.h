// A file that shows how a run is doing, for monitoring, in the text format of Prometheus.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "convoy/base/clock.h"
#include "convoy/exchange/prometheus/metrics_text.h"
#include "convoy/train/observer.h"

namespace convoy {

class MetricsFile : public Observer {
 public:
  // Writes `path` immediately, then every `every_seconds` between steps, and at the end of an epoch and of the run.
  // Readers always see a complete file. The labels `run` tell runs apart. Throws WriteError when it cannot be written.
  MetricsFile(std::filesystem::path path, MetricLabels run, std::int64_t epochs, std::int64_t steps,
              double every_seconds = 5);

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  void on_epoch(const Trainer& trainer, const EpochEvent& event) override;
  void on_end(const Trainer& trainer, const Outcome& outcome) override;
  void on_failure(const std::exception& error) override;

 private:
  void write();
  void add_progress(MetricsText& text) const;
  void add_learning(MetricsText& text) const;
  void add_speed(MetricsText& text) const;

  std::filesystem::path path_;
  MetricLabels run_;
  std::int64_t epochs_;
  std::int64_t steps_;
  double every_seconds_;
  Clock::time_point written_;

  std::string status_ = "running";
  StepRecord step_;  // the last one, over all ranks
  std::int64_t workers_ = 0;
  double epoch_loss_ = 0;  // of the current epoch
  double epoch_accuracy_ = 0;
  std::int64_t samples_ = 0;  // of this sitting (see RunInfo)
  std::optional<double> gradient_norm_;
  std::optional<EpochRecord> epoch_;  // the last completed one
};

}  // namespace convoy
