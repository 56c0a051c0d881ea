#include "convoy/run/live_curves.h"

#include <fmt/format.h>

#include <chrono>
#include <variant>

#include "convoy/base/file/folder.h"
#include "convoy/exchange/tensorboard/run_events.h"
#include "convoy/train/network_weights.h"
#include "convoy/train/trainer.h"

namespace convoy {
namespace {

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// TensorBoard reads the files of a folder in the order of their names, so the time comes first in the name.
std::filesystem::path free_name(const std::filesystem::path& folder) {
  make_folder(folder);
  const auto seconds = static_cast<std::int64_t>(seconds_since_1970());
  for (int i = 0;; ++i) {
    std::filesystem::path path = folder / fmt::format("events.out.tfevents.{:010}.convoy.{:03}", seconds, i);
    if (!std::filesystem::exists(path)) return path;
  }
}

}  // namespace

LiveCurves::LiveCurves(const std::filesystem::path& folder, std::span<const HyperParameter> parameters,
                       std::int64_t first_step, std::int64_t histogram_epochs)
    : events_(seconds_since_1970()),
      file_(free_name(folder), OutputFile::Start::fresh_no_link),
      histogram_epochs_(histogram_epochs) {
  const double now = seconds_since_1970();
  if (first_step > 0) events_.add_restart(first_step + 1, now);
  events_.add_hyper_parameters(parameters, now);
  write();
}

void LiveCurves::on_step(const Trainer& /*trainer*/, const StepEvent& event) {
  const double now = seconds_since_1970();
  add_step(event.record, now, events_);
  if (event.gradient_norm) events_.add_scalar("step/gradient_norm", *event.gradient_norm, event.record.step, now);
  write();
}

void LiveCurves::on_epoch(const Trainer& trainer, const EpochEvent& event) {
  const double now = seconds_since_1970();
  add_epoch(event.record, now, events_);
  if (histogram_epochs_ > 0 && event.record.epoch % histogram_epochs_ == 0) {
    add_histograms(trainer, event.record.end_step, now);
  }
  write();
}

void LiveCurves::add_histograms(const Trainer& trainer, std::int64_t step, double now) {
  for (const NamedTensor& tensor : export_weights(trainer.parts().network.parameters())) {
    const auto* const values = std::get_if<std::vector<float>>(&tensor.values);
    if (values != nullptr) events_.add_histogram("weights/" + tensor.name, *values, step, now);
  }
}

void LiveCurves::on_end(const Trainer& /*trainer*/, const Outcome& outcome) {
  if (outcome.kind == EndKind::interrupted) return;  // the run may go on
  events_.add_run_end(true, seconds_since_1970());
  write();
}

void LiveCurves::on_failure(const std::exception& /*error*/) {
  events_.add_run_end(false, seconds_since_1970());
  write();
}

}  // namespace convoy
