#include "convoy/train/run_recorder.h"

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/record/run_name.h"
#include "convoy/train/trainer.h"

namespace convoy {
namespace {

std::vector<std::vector<std::int64_t>> confusion_of(const Tally& tally) {
  std::vector<std::vector<std::int64_t>> rows;
  for (int row = 0; row < tally.classes(); ++row) {
    rows.emplace_back();
    for (int column = 0; column < tally.classes(); ++column) rows.back().push_back(tally.confused(row, column));
  }
  return rows;
}

// Epochs record their own evaluation; this is for one after the last epoch.
void set_test(const Metrics& metrics, RunSummary& summary) {
  summary.test_loss = metrics.loss;
  summary.test_top1 = metrics.top1;
  summary.test_top5 = metrics.top5;
}

}  // namespace

RunRecorder::RunRecorder(RunWriter& writer, std::vector<std::string> classes, RunSummary earlier)
    : writer_(writer), earlier_(std::move(earlier)) {
  summary_.classes = std::move(classes);
}

void RunRecorder::on_step(const Trainer& /*trainer*/, const StepEvent& event) {
  for (const StepRecord& record : event.ranks) writer_.add(record);
  steps_ = event.record.step;
}

void RunRecorder::on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) {
  writer_.add(event.record);
  if (event.test != nullptr) test_ = *event.test;
  elapsed_seconds_ = event.record.elapsed_seconds;
  write(RunStatus::running, "");
}

void RunRecorder::on_end(const Trainer& trainer, const Outcome& outcome) {
  elapsed_seconds_ = trainer.state().elapsed_seconds;
  steps_ = trainer.state().step;
  if (outcome.test) {
    test_ = outcome.test;
    stopped_within_epoch_ = true;
  }
  write(outcome.kind == EndKind::interrupted ? RunStatus::interrupted : RunStatus::completed, outcome.reason);
  writer_.require_there();
}

void RunRecorder::on_failure(const std::exception& error) {
  const bool diverged = dynamic_cast<const DivergedError*>(&error) != nullptr;
  write(diverged ? RunStatus::diverged : RunStatus::failed, error.what());
}

void RunRecorder::write(RunStatus status, const std::string& reason) {
  RunSummary summary = summarize_epochs(writer_.epochs());
  summary.status = status;
  summary.reason = reason;
  // A sitting that fails before its first step knows less than the epochs recorded before.
  summary.steps = std::max(summary.steps, steps_);
  summary.classes = summary_.classes;
  summary.total_seconds = std::max(summary.total_seconds, elapsed_seconds_);
  if (stopped_within_epoch_) set_test(test_->metrics(), summary);
  add_classes(summary);
  if (status != RunStatus::running) summary.finished = time_text(std::chrono::system_clock::now());
  summary_ = std::move(summary);
  writer_.write(summary_);
}

void RunRecorder::add_classes(RunSummary& summary) const {
  if (test_) {
    summary.class_accuracy = test_->class_accuracy();
    summary.confusion = confusion_of(*test_);
  } else if (summary.test_loss && summary.test_loss == earlier_.test_loss) {  // the last evaluation is still that one
    summary.class_accuracy = earlier_.class_accuracy;
    summary.confusion = earlier_.confusion;
  }
}

}  // namespace convoy
