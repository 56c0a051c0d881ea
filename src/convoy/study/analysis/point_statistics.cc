#include "convoy/study/analysis/point_statistics.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <charconv>
#include <cmath>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::study {
namespace {

constexpr double kLevel = 0.05;
constexpr double kLeastFreedom = 2;
// Smaller variances count as this one: clocks are not more precise, and two points without any spread must not differ.
constexpr double kLeastVariance = 1e-10;

// The sum of squared deviations of the logarithms from their mean.
struct Squares {
  std::size_t point = 0;
  double sum = 0;
  double freedom = 0;
};

Squares squares_of(std::size_t point, const std::vector<double>& values) {
  double mean = 0;
  for (const double value : values) mean += std::log(value) / static_cast<double>(values.size());
  Squares squares{.point = point, .freedom = static_cast<double>(values.size()) - 1};
  for (const double value : values) squares.sum += (std::log(value) - mean) * (std::log(value) - mean);
  return squares;
}

Squares total_of(const std::vector<Squares>& all) {
  Squares total;
  for (const Squares& each : all) {
    total.sum += each.sum;
    total.freedom += each.freedom;
  }
  return total;
}

// How likely it is that the point's spread differs so much from that of all others by chance.
double likelihood(const Squares& each, const Squares& total) {
  const double others = std::max((total.sum - each.sum) / (total.freedom - each.freedom), kLeastVariance);
  const double own = std::max(each.sum / each.freedom, kLeastVariance);
  const boost::math::fisher_f f(each.freedom, total.freedom - each.freedom);
  const double below = boost::math::cdf(f, own / others);
  return 2 * std::min(below, 1 - below);
}

// Removes points until the spreads of the remaining ones agree.
void keep_agreeing(std::vector<Squares>& kept) {
  while (kept.size() > 1) {
    const Squares total = total_of(kept);
    const auto by_likelihood = [&](const Squares& each) { return likelihood(each, total); };
    const auto oddest = std::ranges::min_element(kept, {}, by_likelihood);
    if (by_likelihood(*oddest) * static_cast<double>(kept.size()) >= kLevel) return;
    kept.erase(oddest);
  }
}

}  // namespace

std::optional<PooledSpread> pool_spread(std::span<const std::vector<double>> points) {
  std::vector<Squares> kept;
  PooledSpread pooled;
  for (std::size_t i = 0; i < points.size(); ++i) {
    pooled.agrees.push_back(points[i].size() == 1);
    if (points[i].size() > 1) kept.push_back(squares_of(i, points[i]));
  }
  keep_agreeing(kept);
  const Squares total = total_of(kept);
  if (total.freedom < kLeastFreedom) return std::nullopt;
  for (const Squares& each : kept) pooled.agrees[each.point] = true;
  pooled.deviation = std::sqrt(total.sum / total.freedom);
  pooled.freedom = total.freedom;
  return pooled;
}

namespace {

// Collects values that some runs may lack.
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

std::optional<TimeShares> mean_shares(const std::vector<const StudyRun*>& runs) {
  TimeShares sum;
  double count = 0;
  for (const StudyRun* const run : runs) {
    if (!run->measures->shares) continue;
    add_shares(sum, *run->measures->shares);
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

std::vector<const StudyRun*> measured_runs(const PointResult& point) {
  std::vector<const StudyRun*> counted;
  std::vector<const StudyRun*> undisturbed;
  for (const StudyRun& run : point.runs) {
    if (!run.counts()) continue;
    counted.push_back(&run);
    if (!run.is_disturbed()) undisturbed.push_back(&run);
  }
  return undisturbed.empty() ? counted : undisturbed;
}

PointStatistics statistics_of(const PointResult& point, double price) {
  constexpr double kSecondsOfHour = 3600;
  PointStatistics statistics;
  Values throughput, epochs, lines, excess, steps, hidden, turnaround, cost, cpu;
  for (const StudyRun& run : point.runs) {
    statistics.failed += run.counts() ? 0 : 1;
    statistics.disturbed += run.counts() && run.is_disturbed() ? 1 : 0;
  }
  const std::vector<const StudyRun*> runs = measured_runs(point);
  statistics.runs = std::ssize(runs);
  statistics.rests_on_disturbed = !runs.empty() && runs.front()->is_disturbed();
  for (const StudyRun* const run : runs) {
    const RunMeasures& measures = *run->measures;
    statistics.imported = measures.imported;
    throughput.add(measures.throughput);
    epochs.add(measures.epoch_throughputs);
    lines.add(measures.line_throughputs);
    excess.add(measures.line_excess);
    if (measures.step_seconds) steps.add(measures.step_seconds->mean);
    hidden.add(measures.hidden_share);
    cpu.add(measures.cpu_use);
    statistics.learning_rate = std::max(statistics.learning_rate, measures.learning_rate);
    statistics.peak_memory_bytes = std::max(statistics.peak_memory_bytes, measures.peak_memory_bytes);
    if (run->outcome.turnaround_seconds <= 0) continue;
    turnaround.add(run->outcome.turnaround_seconds);
    if (price > 0) {
      cost.add(static_cast<double>(measures.ranks) * price * run->outcome.turnaround_seconds / kSecondsOfHour);
    }
  }
  statistics.throughput = throughput.summary();
  statistics.epoch_throughput = epochs.summary();
  statistics.line_throughput = lines.summary();
  statistics.line_excess = excess.mean();
  statistics.step_seconds = steps.summary();
  statistics.shares = mean_shares(runs);
  statistics.hidden_share = hidden.mean();
  statistics.turnaround_seconds = turnaround.summary();
  statistics.cost = cost.mean();
  statistics.cpu_use = cpu.mean().value_or(0);
  return statistics;
}

namespace {

using Quantity = std::optional<double> (*)(const StudyRun&);

std::optional<double> throughput_of(const StudyRun& run) { return run.measures->throughput; }
std::optional<double> step_of(const StudyRun& run) {
  return run.measures->step_seconds ? std::optional(run.measures->step_seconds->mean) : std::nullopt;
}
std::optional<double> turnaround_of(const StudyRun& run) { return run.outcome.turnaround_seconds; }

// Values of undisturbed runs. Only positive ones, because their logarithms are needed.
std::vector<double> values_of(const PointResult& point, Quantity quantity) {
  std::vector<double> values;
  for (const StudyRun* const run : measured_runs(point)) {
    const std::optional<double> value = quantity(*run);
    if (!run->is_disturbed() && value && *value > 0) values.push_back(*value);
  }
  return values;
}

void use_pooled(const StudyResults& results, const PointResult& point, Quantity quantity,
                std::optional<Summary>& summary) {
  if (!summary || summary->mean <= 0) return;
  std::vector<std::vector<double>> all;
  for (const PointResult& each : results.points) all.push_back(values_of(each, quantity));
  const auto pooled = pool_spread(all);
  const auto place = std::ranges::find(results.points, point.point, &PointResult::point) - results.points.begin();
  const bool agrees = pooled && pooled->agrees.at(static_cast<std::size_t>(place));
  if (!agrees || pooled->freedom <= summary->interval_freedom) return;
  set_ratio_interval(*summary, pooled->deviation / std::sqrt(summary->count), pooled->freedom, IntervalBasis::pooled);
}

void use_steps(const PointResult& point, std::optional<Summary>& summary) {
  if (!summary || summary->has_interval() || summary->mean <= 0) return;
  const std::optional<StepSpread>& spread = measured_runs(point).front()->measures->step_spread;
  if (spread) set_ratio_interval(*summary, spread->relative_error, spread->freedom, IntervalBasis::steps);
}

}  // namespace

PointStatistics statistics_of(const StudyResults& results, const PointResult& point) {
  PointStatistics statistics = statistics_of(point, results.spec.price);
  use_pooled(results, point, throughput_of, statistics.throughput);
  use_pooled(results, point, step_of, statistics.step_seconds);
  use_pooled(results, point, turnaround_of, statistics.turnaround_seconds);
  use_steps(point, statistics.throughput);
  use_steps(point, statistics.step_seconds);
  return statistics;
}

std::int64_t number_at(const StudySpec& spec, const Point& point, const std::string& key, std::int64_t otherwise) {
  const std::string text = value_at(spec, point, key, "");
  if (text.empty() || text == kUnknownValue) return otherwise;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw DataError("'{}' of {} is not a whole number: {}", key, point_text(point), text);
  }
  return number;
}

std::int64_t global_batch(const StudySpec& spec, const Point& point) {
  const std::int64_t batch = number_at(spec, point, "batch", 0);
  const bool is_weak = value_at(spec, point, "scaling", "strong") == "weak";
  return is_weak ? batch * number_at(spec, point, "workers", 1) : batch;
}

}  // namespace convoy::study
