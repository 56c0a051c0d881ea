#include "convoy/run/metrics_file.h"

#include <array>
#include <chrono>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/machine.h"

namespace convoy {

MetricsFile::MetricsFile(std::filesystem::path path, MetricLabels run, std::int64_t epochs, std::int64_t steps,
                         double every_seconds)
    : path_(std::move(path)), run_(std::move(run)), epochs_(epochs), steps_(steps), every_seconds_(every_seconds) {
  make_folder(folder_of(path_));
  write();
}

void MetricsFile::on_step(const Trainer& /*trainer*/, const StepEvent& event) {
  step_ = event.record;
  workers_ = std::ssize(event.ranks);
  epoch_loss_ = event.epoch_loss;
  epoch_accuracy_ = event.epoch_top1;
  samples_ += event.record.samples;
  if (event.gradient_norm) gradient_norm_ = event.gradient_norm;
  if (event.is_newest && seconds_since(written_) >= every_seconds_) write();
}

void MetricsFile::on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) {
  // After an epoch without evaluation, the last evaluation stays in the file.
  const std::optional<EpochRecord> before = std::exchange(epoch_, event.record);
  if (before && !epoch_->test_top1) {
    epoch_->test_top1 = before->test_top1;
    epoch_->test_loss = before->test_loss;
  }
  write();
}

void MetricsFile::on_end(const Trainer& /*trainer*/, const Outcome& outcome) {
  status_ = outcome.kind == EndKind::interrupted ? "interrupted" : "completed";
  write();
}

void MetricsFile::on_failure(const std::exception& error) {
  status_ = dynamic_cast<const DivergedError*>(&error) != nullptr ? "diverged" : "failed";
  write();
}

void MetricsFile::write() {
  MetricsText text;
  text.metric("convoy_run_info", MetricKind::gauge, "The run these metrics are of; always 1").value(1, run_);
  add_progress(text);
  if (step_.step > 0) {
    add_learning(text);
    add_speed(text);
  }
  write_file_atomically(path_, text.text());
  written_ = Clock::now();
}

void MetricsFile::add_progress(MetricsText& text) const {
  constexpr std::array kStates = {"running", "completed", "interrupted", "diverged", "failed"};
  text.metric("convoy_status", MetricKind::gauge, "1 for the state the run is in");
  for (const char* const state : kStates) text.value(status_ == state ? 1 : 0, {{"state", state}});
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  text.metric("convoy_updated_timestamp_seconds", MetricKind::gauge, "When this was written")
      .value(std::chrono::duration<double>(now).count());
  text.metric("convoy_step", MetricKind::gauge, "Steps done, of earlier sittings too")
      .value(static_cast<double>(step_.step));
  text.metric("convoy_steps_planned", MetricKind::gauge, "Steps of the whole run").value(static_cast<double>(steps_));
  text.metric("convoy_epoch", MetricKind::gauge, "The epoch of the last step, from 1")
      .value(static_cast<double>(step_.epoch));
  text.metric("convoy_epochs_planned", MetricKind::gauge, "Epochs of the whole run")
      .value(static_cast<double>(epochs_));
  text.metric("convoy_samples_total", MetricKind::counter, "Samples trained on since the run was started or resumed")
      .value(static_cast<double>(samples_));
  text.metric("convoy_workers", MetricKind::gauge, "Processes that train together")
      .value(static_cast<double>(workers_));
}

void MetricsFile::add_learning(MetricsText& text) const {
  text.metric("convoy_step_loss", MetricKind::gauge, "Loss of the last step").value(step_.loss);
  text.metric("convoy_train_loss", MetricKind::gauge, "Mean loss of the epoch so far").value(epoch_loss_);
  text.metric("convoy_train_accuracy_ratio", MetricKind::gauge, "Accuracy on the epoch's training samples so far")
      .value(epoch_accuracy_);
  text.metric("convoy_learning_rate", MetricKind::gauge, "Learning rate of the last step").value(step_.learning_rate);
  if (gradient_norm_) {
    text.metric("convoy_gradient_norm", MetricKind::gauge, "Norm of the gradient when it was last looked at")
        .value(*gradient_norm_);
  }
  if (epoch_ && epoch_->test_loss) {
    text.metric("convoy_test_loss", MetricKind::gauge, "Loss on the test data, last evaluation")
        .value(*epoch_->test_loss);
  }
  if (epoch_ && epoch_->test_top1) {
    text.metric("convoy_test_accuracy_ratio", MetricKind::gauge, "Accuracy on the test data, last evaluation")
        .value(*epoch_->test_top1);
  }
}

void MetricsFile::add_speed(MetricsText& text) const {
  const StepTimes& times = step_.times;
  text.metric("convoy_samples_per_second", MetricKind::gauge, "Throughput of the last step, all workers together")
      .value(static_cast<double>(step_.samples) / times.seconds);
  text.metric("convoy_step_seconds", MetricKind::gauge, "Wall time of the last step").value(times.seconds);
  text.metric("convoy_time_share_ratio", MetricKind::gauge, "Where the time of the last step went")
      .value(times.compute_seconds / times.seconds, {{"part", "compute"}})
      .value(times.input_wait_seconds / times.seconds, {{"part", "input_wait"}})
      .value(times.exposed_communication_seconds / times.seconds, {{"part", "exposed_communication"}});
  text.metric("convoy_peak_memory_bytes", MetricKind::gauge, "Peak resident memory of the first worker")
      .value(static_cast<double>(peak_resident_bytes()));
}

}  // namespace convoy
