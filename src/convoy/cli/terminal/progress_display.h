// Shows training as it progresses: one line that is redrawn, and a table row for each epoch, which stays.
#pragma once

#include <cstdint>
#include <string>

#include "convoy/base/clock.h"
#include "convoy/train/observer.h"

namespace convoy::cli {

enum class DisplayKind {
  full,       // rows on stdout, progress on stderr
  rows_only,  // --quiet: only rows
  nothing,    // --json
};

class ProgressDisplay : public Observer {
 public:
  ProgressDisplay(DisplayKind kind, std::int64_t epochs, std::int64_t total_steps);
  ~ProgressDisplay() override;

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  void on_evaluation(std::int64_t done, std::int64_t total) override;
  void on_epoch(const Trainer& trainer, const EpochEvent& event) override;
  void on_end(const Trainer& trainer, const Outcome& outcome) override;
  void on_failure(const std::exception& error) override;

 private:
  [[nodiscard]] bool is_due();
  void show(const std::string& line);
  void clear();
  [[nodiscard]] std::string progress_text(const StepEvent& event) const;

  DisplayKind kind_;
  std::int64_t epochs_;
  std::int64_t total_steps_;
  bool on_terminal_;
  bool has_header_ = false;
  bool line_is_open_ = false;
  Clock::time_point last_shown_;
  double seconds_of_step_ = 0;  // smoothed
};

}  // namespace convoy::cli
