#include "convoy/study/measure/run_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "convoy/base/check.h"
#include "convoy/study/measure/disturbance.h"

namespace convoy::study {
namespace {

// The records of all ranks for one step.
std::span<const StepRecord> ranks_of_step(std::span<const StepRecord> steps, std::size_t begin) {
  std::size_t end = begin;
  while (end < steps.size() && steps[end].step == steps[begin].step) ++end;
  return steps.subspan(begin, end - begin);
}

// A step takes as long as its slowest rank.
double seconds_of(std::span<const StepRecord> ranks) {
  double slowest = 0;
  for (const StepRecord& rank : ranks) {
    if (std::isfinite(rank.times.seconds)) slowest = std::max(slowest, rank.times.seconds);
  }
  return slowest;
}

LossStep after(const LossStep& before, std::span<const StepRecord> ranks) {
  double samples = 0;
  double loss = 0;
  for (const StepRecord& rank : ranks) {
    if (rank.samples <= 0) continue;  // it has no loss
    samples += static_cast<double>(rank.samples);
    loss += rank.loss * static_cast<double>(rank.samples);
  }
  return {.seconds = before.seconds + seconds_of(ranks), .samples = before.samples + samples, .loss = loss / samples};
}

// When the epoch with this last step ended: after its evaluation, for which the next step had to wait.
double end_of_epoch(const RunRecord& run, std::int64_t last_step, double otherwise) {
  const auto epoch = std::ranges::find(run.epochs, last_step, &EpochRecord::end_step);
  if (epoch == run.epochs.end() || !std::isfinite(epoch->elapsed_seconds)) return otherwise;
  return std::max(otherwise, epoch->elapsed_seconds);
}

}  // namespace

std::vector<LossStep> loss_steps(const RunRecord& run) {
  std::vector<LossStep> steps;
  LossStep last;
  std::int64_t number = 0;
  for (std::size_t at = 0; at < run.steps.size();) {
    const std::span<const StepRecord> ranks = ranks_of_step(run.steps, at);
    at += ranks.size();
    if (ranks.front().step != ++number) return {};
    steps.push_back(last = after(last, ranks));
    last.seconds = end_of_epoch(run, number, last.seconds);
  }
  if (!run.epochs.empty() && run.epochs.back().end_step > number) return {};
  return steps;
}

namespace {

// Unknown values are null in JSON and are read as NaN.
double finite_or_zero(double value) { return std::isfinite(value) ? value : 0.0; }

// From a nanosecond to thirty years. Anything else is not a measurement, and its square might not be finite.
bool is_duration(double seconds) { return seconds >= 1e-9 && seconds <= 1e9; }

bool is_imported(const RunInfo& info) {
  const auto& configuration = info.configuration;
  return configuration.is_object() && configuration.value("imported", nlohmann::ordered_json()) == true;
}

// Adds the notes of the importer.
void add_import_notes(const RunInfo& info, RunMeasures& measures) {
  const auto notes = info.configuration.find("notes");
  if (notes == info.configuration.end() || !notes->is_array()) return;
  for (const auto& note : *notes) {
    if (note.is_string()) measures.notes.push_back(note.get<std::string>());
  }
}

// Decides by their epoch whether steps and epochs count.
class Counted {
 public:
  Counted(std::span<const EpochRecord> epochs, std::int64_t skipped_epochs)
      : left_out_(std::min<std::int64_t>(skipped_epochs, std::ssize(epochs))) {
    // If fewer epochs were finished than are skipped, unfinished ones are skipped too.
    const std::int64_t unfinished = skipped_epochs - left_out_;
    last_left_out_ = unfinished + (left_out_ > 0 ? epochs[static_cast<std::size_t>(left_out_) - 1].epoch : 0);
  }

  [[nodiscard]] std::int64_t left_out() const { return left_out_; }
  bool operator()(const auto& record) const { return record.epoch > last_left_out_; }

 private:
  std::int64_t left_out_;
  std::int64_t last_left_out_;
};

void add_epoch_seconds(const RunRecord& run, const Counted& counted, RunMeasures& measures) {
  std::vector<double> seconds;
  for (const EpochRecord& epoch : run.epochs) {
    if (counted(epoch) && is_duration(epoch.times.seconds)) seconds.push_back(epoch.times.seconds);
  }
  if (!seconds.empty()) measures.epoch_seconds = mean(seconds);
}

void add_throughput(const RunRecord& run, const Counted& counted, RunMeasures& measures) {
  double samples = 0;
  double seconds = 0;
  double busy_seconds = 0;
  double seconds_of_sample = 0;  // summed over imported epochs of which only the rate is known
  std::int64_t unusable = 0;
  for (const EpochRecord& epoch : run.epochs) {
    if (!counted(epoch)) continue;
    if (!is_duration(epoch.times.seconds) || epoch.samples <= 0) {
      if (measures.imported && is_duration(1 / epoch.samples_per_second)) {
        measures.epoch_throughputs.push_back(epoch.samples_per_second);
        seconds_of_sample += 1 / epoch.samples_per_second;
      } else {
        ++unusable;
      }
      continue;
    }
    measures.epoch_throughputs.push_back(static_cast<double>(epoch.samples) / epoch.times.seconds);
    samples += static_cast<double>(epoch.samples);
    seconds += epoch.times.seconds;
    busy_seconds += finite_or_zero(epoch.cpu_use) * epoch.times.seconds;
  }
  add_epoch_seconds(run, counted, measures);
  if (seconds > 0) {
    measures.throughput = samples / seconds;
    measures.cpu_use = busy_seconds / seconds;
  }
  // Such epochs have equally many samples, so all samples divided by all seconds is the harmonic mean of the rates.
  if (seconds == 0 && seconds_of_sample > 0) {
    measures.throughput = static_cast<double>(measures.epoch_throughputs.size()) / seconds_of_sample;
  }
  if (unusable > 0) measures.notes.push_back(fmt::format("epochs without a duration that do not count: {}", unusable));
}

void add_empty_note(const RunRecord& run, std::int64_t skipped_epochs, RunMeasures& measures) {
  if (run.epochs.empty()) {
    measures.notes.emplace_back("no epoch was finished: there is no throughput");
  } else if (std::ssize(run.epochs) <= skipped_epochs) {
    measures.notes.push_back(
        fmt::format("all {} epochs are skipped: there is no throughput; train for more epochs or lower "
                    "--skip-epochs",
                    run.epochs.size()));
  }
}

std::optional<StepSpread> spread_of_steps(const Summary& steps, double independent) {
  constexpr double kFewest = 10;
  if (independent < kFewest || steps.mean <= 0) return std::nullopt;
  return StepSpread{.relative_error = steps.cv / std::sqrt(independent), .freedom = independent - 1};
}

void add_step_seconds(const RunRecord& run, const Counted& counted, RunMeasures& measures) {
  std::map<std::int64_t, double> slowest;  // by step
  for (const StepRecord& step : run.steps) {
    if (!counted(step) || !is_duration(step.times.seconds)) continue;
    double& seconds = slowest[step.step];
    seconds = std::max(seconds, step.times.seconds);
  }
  if (slowest.empty()) return;
  std::vector<double> seconds;
  for (const auto& [step, value] : slowest) seconds.push_back(value);
  measures.step_seconds = summarize(seconds);
  measures.step_spread = spread_of_steps(*measures.step_seconds, effective_count(seconds));
}

StepTimes finite_part(const StepTimes& times) {
  StepTimes finite = times;
  visit_step_times(finite, [](const char*, double& seconds) { seconds = finite_or_zero(seconds); });
  return finite;
}

// Sums over all counted steps and ranks, so that shares of it are means over ranks.
StepTimes sum_of_steps(const RunRecord& run, const Counted& counted) {
  StepTimes sum;
  for (const StepRecord& step : run.steps) {
    if (counted(step) && is_duration(step.times.seconds)) sum += finite_part(step.times);
  }
  return sum;
}

// A single worker does not communicate: what its record calls communication is the bookkeeping of the update.
void drop_communication(StepTimes& sum) {
  sum.exposed_communication_seconds = sum.straggler_wait_seconds = sum.communication_seconds = 0;
}

void add_shares(StepTimes sum, RunMeasures& measures) {
  if (measures.ranks == 1) drop_communication(sum);
  const double parts = sum.compute_seconds + sum.input_wait_seconds + sum.exposed_communication_seconds;
  // The parts are measured separately, so rounding may make their sum exceed the whole.
  const double whole = std::max(sum.seconds, parts);
  if (whole <= 0) return;
  const double straggler = std::min(sum.straggler_wait_seconds, sum.exposed_communication_seconds);
  measures.shares = TimeShares{.compute = sum.compute_seconds / whole,
                               .exposed_communication = (sum.exposed_communication_seconds - straggler) / whole,
                               .straggler_wait = straggler / whole,
                               .input_wait = sum.input_wait_seconds / whole,
                               .other = (whole - parts) / whole};
  if (sum.communication_seconds > 0) {
    measures.hidden_share = std::clamp(1 - sum.exposed_communication_seconds / sum.communication_seconds, 0.0, 1.0);
  }
}

void add_line_throughputs(const RunRecord& run, const Counted& counted, RunMeasures& measures) {
  std::map<std::int64_t, double> samples;  // by epoch
  std::map<std::int64_t, std::vector<double>> of_epochs;
  for (const EpochRecord& epoch : run.epochs) samples[epoch.epoch] = static_cast<double>(epoch.samples);
  for (const StepRecord& line : run.steps) {
    const auto of_epoch = samples.find(line.epoch);
    if (!counted(line) || of_epoch == samples.end() || of_epoch->second <= 0) continue;
    if (!is_duration(line.times.seconds)) continue;
    measures.line_throughputs.push_back(of_epoch->second / line.times.seconds);
    of_epochs[line.epoch].push_back(of_epoch->second / line.times.seconds);
  }
  for (const auto& [epoch, rates] : of_epochs) {
    measures.line_excess.push_back(mean(rates) / std::ranges::min(rates) - 1);
  }
}

double threads_of(const RunInfo& info) {
  const auto& configuration = info.configuration;
  const auto threads = configuration.is_object() ? configuration.value("threads", nlohmann::ordered_json()) : nullptr;
  return threads.is_number() ? static_cast<double>(info.ranks) * threads.get<double>() : 0;
}

void add_disturbance(const RunRecord& run, const Counted& counted, RunMeasures& measures) {
  const auto epochs = std::span(run.epochs).subspan(static_cast<std::size_t>(counted.left_out()));
  const auto use = machine_use(epochs, threads_of(run.info));
  if (!use) return;
  measures.disturbance = disturbance_of(*use);
  if (!measures.disturbance.empty()) measures.notes.push_back("disturbed: " + measures.disturbance);
}

void add_learning_rate(const RunRecord& run, RunMeasures& measures) {
  double highest = 0;
  for (const StepRecord& step : run.steps) highest = std::max(highest, finite_or_zero(step.learning_rate));
  for (const EpochRecord& epoch : run.epochs) highest = std::max(highest, finite_or_zero(epoch.learning_rate));
  if (highest > 0) measures.learning_rate = highest;
}

void add_curve(const RunRecord& run, RunMeasures& measures) {
  double samples = 0;
  std::optional<double> bytes = 0;
  for (const EpochRecord& epoch : run.epochs) {
    samples += static_cast<double>(epoch.samples);
    bytes = bytes && epoch.wire_bytes ? std::optional(*bytes + *epoch.wire_bytes) : std::nullopt;
    const auto known = [](std::optional<double> value) {
      return value && std::isfinite(*value) ? value : std::optional<double>();
    };
    measures.curve.push_back({.epoch = epoch.epoch,
                              .seconds = finite_or_zero(epoch.elapsed_seconds),
                              .samples = samples,
                              .train_loss = epoch.train_loss,
                              .test_loss = epoch.test_loss,
                              .test_top1 = known(epoch.test_top1),
                              .cpu_use = finite_or_zero(epoch.cpu_use),
                              .train_accuracy = known(epoch.train_accuracy),
                              .wire_bytes = known(bytes)});
    measures.peak_memory_bytes = std::max(measures.peak_memory_bytes, static_cast<double>(epoch.peak_memory_bytes));
  }
}

}  // namespace

RunMeasures measure_run(const RunRecord& run, std::int64_t skipped_epochs) {
  CONVOY_CHECK_LE(0, skipped_epochs);
  const Counted counted(run.epochs, skipped_epochs);
  RunMeasures measures;
  measures.status = run.summary.status;
  measures.reason = run.summary.reason;
  measures.imported = is_imported(run.info);
  measures.ranks = run.info.ranks;
  measures.skipped_epochs = counted.left_out();
  measures.notes = run.notes;
  measures.test_data = test_data_of(run.summary);
  add_curve(run, measures);
  add_learning_rate(run, measures);
  const double last_end = measures.curve.empty() ? 0.0 : measures.curve.back().seconds;
  measures.total_seconds = std::max(finite_or_zero(run.summary.total_seconds), last_end);
  add_throughput(run, counted, measures);
  add_empty_note(run, skipped_epochs, measures);
  add_disturbance(run, counted, measures);
  if (measures.imported) {
    add_import_notes(run.info, measures);
    add_line_throughputs(run, counted, measures);
  } else {
    measures.loss_steps = loss_steps(run);
    add_step_seconds(run, counted, measures);
    add_shares(sum_of_steps(run, counted), measures);
  }
  return measures;
}

}  // namespace convoy::study
