#include "convoy/train/tracing.h"

#include <utility>

#include "convoy/record/trace.h"
#include "convoy/train/trainer.h"

namespace convoy {

Tracing::Tracing(Timeline& timeline, std::int64_t steps, std::filesystem::path file)
    : timeline_(timeline), steps_left_(steps), file_(std::move(file)) {}

void Tracing::start(const Trainer& trainer) {
  trainer.parts().replica->communicator().barrier();
  timeline_.start();
}

void Tracing::on_step(const Trainer& trainer, const StepEvent& /*event*/) {
  if (steps_left_ > 0 && --steps_left_ == 0) finish(trainer);
}

void Tracing::on_end(const Trainer& trainer, const Outcome& /*outcome*/) {
  if (steps_left_ > 0) finish(trainer);
}

void Tracing::finish(const Trainer& trainer) {
  steps_left_ = 0;
  timeline_.stop();
  Communicator& communicator = trainer.parts().replica->communicator();
  const std::string& host = communicator.nodes().host_of(communicator.rank());
  const auto ranks = communicator.gather(trace_events(communicator.rank(), host, timeline_.events()));
  if (communicator.rank() == 0) write_trace(file_, ranks);
}

}  // namespace convoy
