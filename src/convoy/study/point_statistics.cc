#include "convoy/study/point_statistics.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::study {
namespace {

// Values that some runs may lack.
class Values {
 public:
  void add(double value) { values_.push_back(value); }
  void add(const std::optional<double>& value) {
    if (value) values_.push_back(*value);
  }
  void add(const std::vector<double>& values) { values_.insert(values_.end(), values.begin(), values.end()); }
  [[nodiscard]] std::optional<Summary> summary() const {
    return values_.empty() ? std::nullopt : std::optional(summarize(values_));
  }
  [[nodiscard]] std::optional<double> mean() const {
    return values_.empty() ? std::nullopt : std::optional(convoy::mean(values_));
  }

 private:
  std::vector<double> values_;
};

void add_shares(TimeShares& sum, const TimeShares& shares) {
  sum.compute += shares.compute;
  sum.exposed_communication += shares.exposed_communication;
  sum.straggler_wait += shares.straggler_wait;
  sum.input_wait += shares.input_wait;
  sum.other += shares.other;
}

std::optional<TimeShares> mean_shares(const PointResult& point) {
  TimeShares sum;
  double count = 0;
  for (const StudyRun& run : point.runs) {
    if (!run.counts() || !run.measures->shares) continue;
    add_shares(sum, *run.measures->shares);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return TimeShares{.compute = sum.compute / count,
                    .exposed_communication = sum.exposed_communication / count,
                    .straggler_wait = sum.straggler_wait / count,
                    .input_wait = sum.input_wait / count,
                    .other = sum.other / count};
}

}  // namespace

PointStatistics statistics_of(const PointResult& point, double price) {
  constexpr double kSecondsOfHour = 3600;
  PointStatistics statistics;
  Values throughput, epochs, lines, excess, steps, hidden, turnaround, cost, cpu;
  for (const StudyRun& run : point.runs) {
    if (!run.counts()) {
      ++statistics.failed;
      continue;
    }
    const RunMeasures& measures = *run.measures;
    ++statistics.runs;
    throughput.add(measures.throughput);
    epochs.add(measures.epoch_throughputs);
    lines.add(measures.line_throughputs);
    excess.add(measures.line_excess);
    if (measures.step_seconds) steps.add(measures.step_seconds->mean);
    hidden.add(measures.hidden_share);
    cpu.add(measures.cpu_use);
    statistics.peak_memory_bytes = std::max(statistics.peak_memory_bytes, measures.peak_memory_bytes);
    if (run.outcome.turnaround_seconds <= 0) continue;
    turnaround.add(run.outcome.turnaround_seconds);
    if (price > 0) {
      cost.add(static_cast<double>(measures.ranks) * price * run.outcome.turnaround_seconds / kSecondsOfHour);
    }
  }
  statistics.throughput = throughput.summary();
  statistics.epoch_throughput = epochs.summary();
  statistics.line_throughput = lines.summary();
  statistics.line_excess = excess.mean();
  statistics.step_seconds = steps.summary();
  statistics.shares = mean_shares(point);
  statistics.hidden_share = hidden.mean();
  statistics.turnaround_seconds = turnaround.summary();
  statistics.cost = cost.mean();
  statistics.cpu_use = cpu.mean().value_or(0);
  return statistics;
}

std::int64_t number_at(const StudySpec& spec, const Point& point, const std::string& key, std::int64_t otherwise) {
  const std::string text = value_at(spec, point, key, "");
  if (text.empty()) return otherwise;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw DataError("'{}' of {} is no whole number: {}", key, point_text(point), text);
  }
  return number;
}

std::int64_t global_batch(const StudySpec& spec, const Point& point) {
  const std::int64_t batch = number_at(spec, point, "batch", 0);
  const bool is_weak = value_at(spec, point, "scaling", "strong") == "weak";
  return is_weak ? batch * number_at(spec, point, "workers", 1) : batch;
}

}  // namespace convoy::study
