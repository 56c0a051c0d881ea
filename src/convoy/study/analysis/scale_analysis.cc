#include "convoy/study/analysis/scale_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "convoy/study/plan/study_spec.h"

namespace convoy::study {
namespace {

bool varies(const StudyResults& results, const std::string& key) {
  std::set<std::string> values;
  for (const PointResult& point : results.points) {
    if (const auto found = point.point.find(key); found != point.point.end()) values.insert(found->second);
  }
  return values.size() > 1;
}

std::string size_key_of(const StudyResults& results) {
  return !varies(results, "workers") && varies(results, "threads") ? "threads" : "workers";
}

// The values that a point shares with the others of its series: all but its size. A point of unknown size is a series
// of its own.
Point shared_values(Point point, const std::string& size_key) {
  const auto size = point.find(size_key);
  if (size != point.end() && size->second != kUnknownValue) point.erase(size);
  return point;
}

// Whether the values of a base point, which lacks settings that make no difference to it, are among those of a series.
bool agrees(const Point& part, const Point& values) {
  return std::ranges::all_of(part, [&](const auto& entry) {
    const auto found = values.find(entry.first);
    return found != values.end() && found->second == entry.second;
  });
}

// For imports they must be equal: imported points have all values, so none is the base of several series.
bool belongs(const StudyResults& results, const Point& part, const Point& values) {
  return kind_row(results.spec.kind).imported ? part == values : agrees(part, values);
}

// The values of each series: combinations that are not contained in a larger one.
std::vector<Point> series_values(const StudyResults& results, const std::string& size_key) {
  std::vector<Point> all;
  for (const PointResult& point : results.points) {
    Point values = shared_values(point.point, size_key);
    if (std::ranges::find(all, values) == all.end()) all.push_back(std::move(values));
  }
  std::vector<Point> fullest;
  for (const Point& values : all) {
    const bool contained = std::ranges::any_of(
        all, [&](const Point& other) { return other.size() > values.size() && belongs(results, values, other); });
    if (!contained) fullest.push_back(values);
  }
  return fullest;
}

std::string series_name(const StudyResults& results, const Point& values) {
  std::string name;
  for (const auto& [key, value] : values) {
    if (!varies(results, key)) continue;
    // Values that are words are clear without their key.
    const bool is_word =
        value != kUnknownValue && !value.empty() && (std::isalpha(static_cast<unsigned char>(value.front())) != 0);
    name += fmt::format("{}{}", name.empty() ? "" : ", ", is_word ? value : fmt::format("{} {}", key, value));
  }
  return name;
}

ScalePoint measure_point(const StudyResults& results, const PointResult& result, const Point& values,
                         const std::string& size_key) {
  Point point = values;  // the base gets the series' values; its batch is the same for both kinds of scaling
  for (const auto& [key, value] : result.point) point[key] = value;
  const std::int64_t otherwise = kind_row(results.spec.kind).imported ? 0 : 1;  // Convoy's default; for imports unknown
  return {.point = result.point,
          .size = number_at(results.spec, point, size_key, otherwise),
          .workers = number_at(results.spec, point, "workers", otherwise),
          .threads = number_at(results.spec, point, "threads", otherwise),
          .global_batch = global_batch(results.spec, point),
          .oversubscribed = result.oversubscribed,
          .statistics = statistics_of(results, result)};
}

const ScalePoint* base_of(const ScaleSeries& series) {
  const auto found =
      std::ranges::find_if(series.points, [](const ScalePoint& p) { return p.size > 0 && p.statistics.throughput; });
  return found == series.points.end() ? nullptr : &*found;
}

// Half the width of the interval, on a logarithmic scale.
double log_width(const Summary& throughput) { return std::log(throughput.high_95 / throughput.mean); }

// Half the width of the interval for a point's throughput divided by the base's, on a logarithmic scale; no value
// unless both have an interval.
std::optional<double> ratio_log_width(const ScalePoint& point, const ScalePoint& base) {
  const Summary& own = *point.statistics.throughput;
  const Summary& other = *base.statistics.throughput;
  if (!own.has_interval() || !other.has_interval()) return std::nullopt;
  return std::hypot(log_width(own), log_width(other));
}

Interval ratio_interval(double value, double log_half) {
  return {value / std::exp(log_half), value * std::exp(log_half)};
}

void compare_with_base(ScalePoint& point, const ScalePoint& base) {
  constexpr double kBeyondWithoutInterval = 1.05;
  const std::optional<double> half = ratio_log_width(point, base);
  point.beyond_linear = *point.efficiency > (half ? std::exp(*half) : kBeyondWithoutInterval);
  if (!half) return;
  point.speed_up_95 = ratio_interval(*point.speed_up, *half);
  point.efficiency_95 = ratio_interval(*point.efficiency, *half);
}

void compare(ScalePoint& point, const ScalePoint& base) {
  if (!point.statistics.throughput || point.size == 0) return;
  point.speed_up = point.statistics.throughput->mean / base.statistics.throughput->mean;
  point.efficiency = *point.speed_up * static_cast<double>(base.size) / static_cast<double>(point.size);
  if (&point != &base) compare_with_base(point, base);
  if (point.statistics.step_seconds && base.statistics.step_seconds) {
    point.step_increase = point.statistics.step_seconds->mean / base.statistics.step_seconds->mean;
    point.time_efficiency = 1 / *point.step_increase;
  }
}

void explain(ScalePoint& point, bool is_base, int cores) {
  if (!point.statistics.shares || point.is_disturbed()) return;
  point.verdict = judge({.shares = *point.statistics.shares,
                         .workers = point.workers,
                         .threads = point.threads,
                         .cores = cores,
                         .oversubscribed = point.oversubscribed,
                         .efficiency = is_base || point.beyond_linear ? std::nullopt : point.efficiency,
                         .hidden_share = point.statistics.hidden_share});
}

std::vector<ScalingObservation> observations_of(const ScaleSeries& series, const StudyResults& results) {
  std::vector<ScalingObservation> observations;
  for (const ScalePoint& point : series.points) {
    if (point.is_doubtful() || point.size == 0) continue;
    const auto result = std::ranges::find(results.points, point.point, &PointResult::point);
    for (const StudyRun* const run : measured_runs(*result)) {
      if (run->measures->throughput) observations.push_back({point.size, *run->measures->throughput});
    }
  }
  return observations;
}

// Why Amdahl's law, which assumes a fixed amount of work, does not apply; empty when it does.
std::string reason_against_amdahl(const ScaleSeries& series, const StudySpec& spec) {
  if (series.is_weak) {
    return "Amdahl's law: it is about a fixed amount of work, and in weak scaling the global batch grows with the "
           "workers";
  }
  if (kind_row(spec.kind).imported && value_at(spec, series.values, "scaling", "").empty()) {
    return "Amdahl's law: it is about a fixed amount of work, and the logs do not say whether the global batch stayed "
           "the same; `--set scaling=strong` says so";
  }
  return "";
}

ScaleSeries make_series(const StudyResults& results, const Point& values, const std::string& size_key) {
  ScaleSeries series{.name = series_name(results, values), .values = values};
  series.is_weak = value_at(results.spec, values, "scaling", "strong") == "weak";
  for (const PointResult& result : results.points) {
    if (!belongs(results, shared_values(result.point, size_key), values)) continue;
    series.points.push_back(measure_point(results, result, values, size_key));
  }
  std::ranges::stable_sort(series.points, {}, &ScalePoint::size);
  if (const ScalePoint* const base = base_of(series)) {
    series.base_size = base->size;
    series.base_is_disturbed = base->is_disturbed();
    for (ScalePoint& point : series.points) {
      if (series.base_is_disturbed) break;
      compare(point, *base);
      explain(point, &point == base, results.spec.cores);
    }
  }
  const auto observations = observations_of(series, results);
  series.amdahl.reason = reason_against_amdahl(series, results.spec);
  series.is_fixed_work = series.amdahl.reason.empty();
  if (series.is_fixed_work) series.amdahl = fit_scaling(ScalingLaw::amdahl, observations);
  series.universal = fit_scaling(ScalingLaw::universal, observations);
  series.amdahl_prediction = predict_beyond(series, series.amdahl);
  series.universal_prediction = predict_beyond(series, series.universal);
  series.pay_off = pay_off(series);
  series.steps = size_steps(series);
  return series;
}

template <typename Predicate>
bool any_scale_point(const ScaleAnalysis& analysis, Predicate is) {
  return std::ranges::any_of(analysis.series,
                             [&](const ScaleSeries& series) { return std::ranges::any_of(series.points, is); });
}

bool was_repeated(const ScalePoint& point) {
  return point.statistics.throughput && point.statistics.throughput->count > 1;
}

// "weak", "strong", "weak and strong"; empty if imported logs do not say.
std::string scaling_of(const StudyResults& results) {
  std::set<std::string> kinds;
  for (const PointResult& point : results.points) {
    const bool imported = kind_row(results.spec.kind).imported;
    const std::string kind = value_at(results.spec, point.point, "scaling", imported ? "" : "strong");
    // If the kind of scaling varies, a single worker has none.
    if (!kind.empty() && (!varies(results, "scaling") || point.point.contains("scaling"))) kinds.insert(kind);
  }
  return fmt::format("{}", fmt::join(kinds.rbegin(), kinds.rend(), " and "));
}

}  // namespace

ScaleAnalysis analyse_scaling(const StudyResults& results) {
  ScaleAnalysis analysis{.size_key = size_key_of(results), .scaling = scaling_of(results)};
  for (const Point& values : series_values(results, analysis.size_key)) {
    analysis.series.push_back(make_series(results, values, analysis.size_key));
  }
  analysis.any_disturbed = any_scale_point(analysis, &ScalePoint::is_disturbed);
  analysis.any_beyond_linear = any_scale_point(analysis, &ScalePoint::beyond_linear);
  analysis.any_oversubscribed = std::ranges::any_of(results.points, &PointResult::oversubscribed);
  analysis.all_single = !any_scale_point(analysis, was_repeated);
  analysis.answer = answer_scaling(analysis.series);
  analysis.all_reduces = all_reduce_choices(analysis.series);
  return analysis;
}

}  // namespace convoy::study
