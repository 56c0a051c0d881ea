// Traces the first steps of a training on all ranks.
#pragma once

#include <filesystem>

#include "convoy/base/timeline.h"
#include "convoy/train/observer.h"

namespace convoy {

class Tracing : public Observer {
 public:
  // The trainer's parts add to `timeline`, which must outlive this. The first rank writes `file`.
  Tracing(Timeline& timeline, std::int64_t steps, std::filesystem::path file);

  // Collective; called just before training, so that time zero is the same on all ranks.
  void start(const Trainer& trainer);

  void on_step(const Trainer& trainer, const StepEvent& event) override;
  void on_end(const Trainer& trainer, const Outcome& outcome) override;

 private:
  // Collective.
  void finish(const Trainer& trainer);

  Timeline& timeline_;
  std::int64_t steps_left_;
  std::filesystem::path file_;
};

}  // namespace convoy
