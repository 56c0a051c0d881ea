#include "convoy/study/analysis/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "convoy/study/plan/price.h"

namespace convoy::study {
namespace {

// A quantity of one run as a rate, for which more is faster. No value if the run does not have it.
using RunRate = std::function<std::optional<double>(const StudyRun&)>;

struct PredictedQuantity {
  const char* name;
  std::string unit;
  RunRate rate;
  // Converts a rate at some size back to the quantity.
  std::function<Estimate(const Estimate& rate, std::int64_t size)> from_rate;
};

std::optional<double> rate_of(double seconds) { return seconds > 0 ? std::optional(1 / seconds) : std::nullopt; }

Estimate turned_over(const Estimate& rate, double factor) {
  Estimate time{.value = factor / rate.value, .interval_95 = {}};
  if (!rate.interval_95) return time;
  const double low = rate.interval_95->low;
  time.interval_95 =
      Interval{factor / rate.interval_95->high, low > 0 ? factor / low : std::numeric_limits<double>::infinity()};
  return time;
}

std::vector<PredictedQuantity> quantities_of(const StudySpec& spec) {
  constexpr double kSecondsOfAnHour = 3600;
  const auto as_time = [](const Estimate& rate, std::int64_t) { return turned_over(rate, 1); };
  const auto turnaround = [](const StudyRun& run) { return rate_of(run.outcome.turnaround_seconds); };
  std::vector<PredictedQuantity> quantities = {
      {"throughput", "samples/s", [](const StudyRun& run) { return run.measures->throughput; },
       [](const Estimate& rate, std::int64_t) { return rate; }},
      {"epoch time", "s", [](const StudyRun& run) { return rate_of(run.measures->epoch_seconds.value_or(0)); },
       as_time},
      {"turnaround", "s", turnaround, as_time},
  };
  if (spec.price > 0) {
    quantities.push_back({"cost of a run", unit_of(spec.currency), turnaround,
                          [price = spec.price](const Estimate& rate, std::int64_t size) {
                            return turned_over(rate, price * static_cast<double>(size) / kSecondsOfAnHour);
                          }});
  }
  return quantities;
}

enum class Points : std::uint8_t { trusted, all };

std::vector<ScalingObservation> rates_in(const StudyResults& results, const ScaleSeries& series, const RunRate& rate,
                                         Points points) {
  std::vector<ScalingObservation> rates;
  for (const ScalePoint& point : series.points) {
    if ((points == Points::trusted && !point.is_trusted()) || point.size == 0) continue;
    const auto result = std::ranges::find(results.points, point.point, &PointResult::point);
    for (const StudyRun* const run : measured_runs(*result)) {
      if (const auto value = rate(*run)) rates.push_back({point.size, *value});
    }
  }
  return rates;
}

// The universal law, which has more parameters, if it fits; otherwise Amdahl's, which holds only for a fixed amount of
// work.
ScalingFitResult best_fit(const ScaleSeries& series, std::span<const ScalingObservation> rates) {
  ScalingFitResult universal = fit_scaling(ScalingLaw::universal, rates);
  if (universal.fit || !series.is_fixed_work) return universal;
  return fit_scaling(ScalingLaw::amdahl, rates);
}

// With no rate at all, all of the points that have the quantity are doubtful.
ScalingFitResult best_law(const ScaleSeries& series, std::span<const ScalingObservation> rates) {
  if (!rates.empty()) return best_fit(series, rates);
  return {.fit = {}, .reason = "others used the cores of all points, or there were too few cores for them"};
}

void add_predictions(std::vector<Prediction>& all, const PredictedQuantity& quantity, const ScaleSeries& series,
                     std::span<const ScalingObservation> rates, std::span<const std::int64_t> sizes) {
  const ScalingFitResult law = best_law(series, rates);
  for (const std::int64_t size : sizes) {
    Prediction& said = all.emplace_back(Prediction{.quantity = quantity.name,
                                                   .unit = quantity.unit,
                                                   .series = series.name,
                                                   .size = size,
                                                   .estimate = {},
                                                   .by = {},
                                                   .reason = law.reason});
    if (!law.fit) continue;
    const std::int64_t largest = std::ranges::max(rates, {}, &ScalingObservation::workers).workers;
    said.beyond = static_cast<double>(size) / static_cast<double>(largest);
    said.estimate = quantity.from_rate(predict(*law.fit, size), size);
    said.by = to_text(law.fit->law);
  }
}

// With fewer different numbers of workers, nothing could contradict the line.
constexpr std::int64_t kFewestSizes = 3;

void add_trend(std::vector<Prediction>& all, const char* quantity, const char* unit, double scale,
               const std::optional<WorkerTrend>& trend, std::span<const std::int64_t> sizes) {
  for (const std::int64_t size : sizes) {
    Prediction& said = all.emplace_back(Prediction{.quantity = quantity, .unit = unit, .size = size});
    if (!trend || trend->sizes < kFewestSizes || !trend->per_doubling.interval_95) {
      said.reason = fmt::format("a line over doublings needs {} different numbers of workers and two runs to spare",
                                kFewestSizes);
      continue;
    }
    said.beyond = static_cast<double>(size) / static_cast<double>(trend->largest);
    said.by = "line over doublings of the workers";
    Estimate value = trend->at(size);
    value.value *= scale;
    value.interval_95->low *= scale;
    value.interval_95->high *= scale;
    said.estimate = value;
  }
}

}  // namespace

std::vector<Prediction> predict_scaling(const StudyResults& results, const ScaleAnalysis& analysis,
                                        std::span<const std::int64_t> sizes) {
  std::vector<Prediction> all;
  const auto has_one_size = [](const ScaleSeries& series) { return series.trusted_beyond_base().empty(); };
  const bool all_have_one = std::ranges::all_of(analysis.series, has_one_size);
  for (const ScaleSeries& series : analysis.series) {
    // Series with a single measured size are not predicted if there are others with several.
    if (has_one_size(series) && !all_have_one) continue;
    for (const PredictedQuantity& quantity : quantities_of(results.spec)) {
      if (rates_in(results, series, quantity.rate, Points::all).empty()) continue;
      add_predictions(all, quantity, series, rates_in(results, series, quantity.rate, Points::trusted), sizes);
    }
  }
  return all;
}

std::vector<Prediction> predict_convergence(const ConvergeAnalysis& analysis, std::span<const std::int64_t> sizes) {
  constexpr double kPercent = 100;
  std::vector<Prediction> all;
  add_trend(all, "epochs to stable accuracy", "epochs", 1, analysis.stable_trend, sizes);
  add_trend(all, "stable accuracy", "%", kPercent, analysis.level_trend, sizes);
  add_trend(all, "final accuracy", "%", kPercent, analysis.accuracy_trend, sizes);
  return all;
}

}  // namespace convoy::study
