#include "convoy/cli/terminal/progress_display.h"

#include <fmt/core.h>

#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/run/settings/amounts.h"

namespace convoy::cli {
namespace {

// Often enough to look alive on a terminal, but not so often that a log file becomes unreadable.
constexpr double kSecondsOnTerminal = 0.1;
constexpr double kSecondsInLog = 10;

std::string percent_cell(const std::optional<double>& share) {
  return share ? fmt::format("{:.2f}", 100 * *share) : "-";
}

std::string number_cell(const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "-"; }

void print_header() {
  say_result("{:>5}  {:>10}  {:>7}  {:>9}  {:>7}  {:>7}  {:>9}  {:>9}  {:>6}  {:>7}\n", "epoch", "train loss",
             "train %", "test loss", "test %", "top-5 %", "rate", "samples/s", "wait %", "time");
}

void print_row(const EpochRecord& r, bool is_best) {
  say_result("{:>5}  {:>10.4f}  {:>7.2f}  {:>9}  {:>7}  {:>7}  {:>9.3g}  {:>9.0f}  {:>6.2f}  {:>7}{}\n", r.epoch,
             r.train_loss, 100 * r.train_accuracy, number_cell(r.test_loss), percent_cell(r.test_top1),
             percent_cell(r.test_top5), r.learning_rate, r.samples_per_second,
             100 * r.times.input_wait_seconds / r.times.seconds, duration_text(r.elapsed_seconds), is_best ? " *" : "");
  if (r.average_test_top1) {
    say_result("{:>26}  {:>9}  {:>7}\n", "average", number_cell(r.average_test_loss),
               percent_cell(r.average_test_top1));
  }
}

}  // namespace

ProgressDisplay::ProgressDisplay(DisplayKind kind, std::int64_t epochs, std::int64_t total_steps)
    : kind_(kind),
      epochs_(epochs),
      total_steps_(total_steps),
      on_terminal_(stderr_is_terminal()),
      last_shown_(Clock::now()) {}

ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::on_step(const Trainer& /*trainer*/, const StepEvent& event) {
  constexpr double kWeightOfNewest = 0.05;
  const double seconds = event.record.times.seconds;
  seconds_of_step_ += seconds_of_step_ == 0 ? seconds : kWeightOfNewest * (seconds - seconds_of_step_);
  if (event.is_newest && is_due()) show(progress_text(event));
}

void ProgressDisplay::on_evaluation(std::int64_t done, std::int64_t total) {
  if (is_due()) show(fmt::format("testing {} of {}", grouped_text(done), grouped_text(total)));
}

void ProgressDisplay::on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) {
  if (kind_ == DisplayKind::nothing) return;
  clear();
  if (!has_header_) print_header();
  has_header_ = true;
  print_row(event.record, event.is_best);
}

void ProgressDisplay::on_end(const Trainer& /*trainer*/, const Outcome& outcome) {
  clear();
  if (kind_ == DisplayKind::full && outcome.kind != EndKind::completed) {
    say("stopped: {}\n", message_text(outcome.reason));
  }
}

void ProgressDisplay::on_failure(const std::exception& /*error*/) { clear(); }

bool ProgressDisplay::is_due() {
  if (kind_ != DisplayKind::full) return false;
  if (seconds_since(last_shown_) < (on_terminal_ ? kSecondsOnTerminal : kSecondsInLog)) return false;
  last_shown_ = Clock::now();
  return true;
}

void ProgressDisplay::show(const std::string& line) {
  if (on_terminal_) {
    say("\r\033[K{}", line);
    line_is_open_ = true;
  } else {
    say("{}\n", line);
  }
}

void ProgressDisplay::clear() {
  if (!line_is_open_) return;
  say("\r\033[K");
  line_is_open_ = false;
}

std::string ProgressDisplay::progress_text(const StepEvent& event) const {
  const StepRecord& r = event.record;
  const double left = seconds_of_step_ * static_cast<double>(total_steps_ - r.step);
  return fmt::format("epoch {}/{}  step {}/{}  loss {:.4f}  accuracy {:.1f} %  {:.0f} samples/s  {} left", r.epoch,
                     epochs_, event.step_of_epoch, event.steps_per_epoch, event.epoch_loss, 100 * event.epoch_top1,
                     static_cast<double>(r.samples) / seconds_of_step_, duration_text(left));
}

}  // namespace convoy::cli
