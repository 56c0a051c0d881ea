#include "convoy/study/sweep_analysis.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace convoy::study {
namespace {

std::int64_t epochs_of(const PointResult& point) {
  std::int64_t epochs = 0;
  for (const StudyRun& run : point.runs) epochs = std::max(epochs, run.outcome.epochs);
  return epochs;
}

// A run's curve, with the point it belongs to.
struct OwnedCurve {
  std::size_t point;
  LossCurve curve;
};

std::vector<OwnedCurve> curves_of(const StudyResults& results, std::int64_t epochs, CurveAxis axis) {
  std::vector<OwnedCurve> curves;
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    if (epochs_of(results.points[i]) != epochs) continue;
    for (const StudyRun& run : results.points[i].runs) {
      const bool usable = run.counts() && !run.measures->curve.empty();
      curves.push_back(
          {i, usable ? loss_curve(*run.measures, axis, CurveLoss::train, results.spec.price) : LossCurve{}});
    }
  }
  return curves;
}

// Mean losses by point, over runs that trained as long; a point with a run that has none is left out.
struct AxisRanking {
  std::map<std::size_t, double> mean_loss;
  std::map<std::size_t, std::string> reasons;
  std::optional<double> horizon;
};

AxisRanking rank_axis(const StudyResults& results, std::int64_t epochs, CurveAxis axis) {
  const std::vector<OwnedCurve> owned = curves_of(results, epochs, axis);
  std::vector<LossCurve> curves;
  for (const OwnedCurve& each : owned) curves.push_back(each.curve);
  const LossRanking ranking = rank_by_loss_area(curves);
  AxisRanking result{.horizon = ranking.horizon};
  std::map<std::size_t, std::vector<double>> losses;
  for (const RankedLoss& ranked : ranking.ranked) {
    const std::size_t point = owned[ranked.curve].point;
    if (ranked.mean_loss) losses[point].push_back(*ranked.mean_loss);
    if (!ranked.mean_loss) result.reasons[point] = ranked.reason;
  }
  for (const auto& [point, values] : losses) {
    if (!result.reasons.contains(point)) result.mean_loss[point] = mean(values);
  }
  return result;
}

std::optional<double> value_of(const std::map<std::size_t, double>& values, std::size_t index) {
  const auto found = values.find(index);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

template <typename Get>
std::optional<double> mean_over_runs(const PointResult& point, Get get) {
  std::vector<double> values;
  for (const StudyRun& run : point.runs) {
    const std::optional<double> value =
        run.counts() && !run.measures->curve.empty() ? get(run.measures->curve.back()) : std::nullopt;
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(mean(values));
}

std::string first_trouble(const PointResult& point) {
  for (const StudyRun& run : point.runs) {
    if (!run.counts()) return run.trouble;
  }
  return "";
}

SweepPoint describe(const StudyResults& results, std::size_t index, std::int64_t most_epochs) {
  const PointResult& result = results.points[index];
  SweepPoint point{.point = result.point,
                   .workers = number_at(results.spec, result.point, "workers", 1),
                   .oversubscribed = result.oversubscribed,
                   .statistics = statistics_of(results, result),
                   .epochs = epochs_of(result)};
  point.given_up = point.epochs < most_epochs;
  point.final_loss = mean_over_runs(result, [](const CurvePoint& last) { return std::optional(last.train_loss); });
  point.final_accuracy = mean_over_runs(result, [](const CurvePoint& last) { return last.test_top1; });
  point.trouble = first_trouble(result);
  return point;
}

bool ranks_before(const SweepPoint& a, const SweepPoint& b) {
  if (a.loss_by_seconds.has_value() != b.loss_by_seconds.has_value()) return a.loss_by_seconds.has_value();
  if (a.epochs != b.epochs) return a.epochs > b.epochs;
  return a.loss_by_seconds.value_or(0) < b.loss_by_seconds.value_or(0);
}

}  // namespace

SweepAnalysis analyse_sweep(const StudyResults& results) {
  std::set<std::int64_t> tiers;
  for (const PointResult& point : results.points) tiers.insert(epochs_of(point));
  SweepAnalysis analysis;
  if (tiers.empty()) return analysis;
  const std::int64_t most = *tiers.rbegin();
  for (const std::int64_t epochs : tiers) {
    const AxisRanking seconds = rank_axis(results, epochs, CurveAxis::seconds);
    const AxisRanking samples = rank_axis(results, epochs, CurveAxis::samples);
    const AxisRanking cost = results.spec.price > 0 ? rank_axis(results, epochs, CurveAxis::cost) : AxisRanking{};
    for (std::size_t i = 0; i < results.points.size(); ++i) {
      if (epochs_of(results.points[i]) != epochs) continue;
      SweepPoint point = describe(results, i, most);
      point.loss_by_seconds = value_of(seconds.mean_loss, i);
      point.loss_by_samples = value_of(samples.mean_loss, i);
      point.loss_by_cost = value_of(cost.mean_loss, i);
      if (point.trouble.empty() && seconds.reasons.contains(i)) point.trouble = seconds.reasons.at(i);
      analysis.ranked.push_back(std::move(point));
    }
    if (epochs != most) continue;
    analysis.horizon_seconds = seconds.horizon;
    analysis.horizon_samples = samples.horizon;
    analysis.horizon_cost = cost.horizon;
  }
  std::ranges::stable_sort(analysis.ranked, ranks_before);
  return analysis;
}

std::vector<std::size_t> best_for_workers(const SweepAnalysis& analysis) {
  std::map<std::int64_t, std::size_t> best;
  for (std::size_t i = 0; i < analysis.ranked.size(); ++i) {
    if (analysis.ranked[i].loss_by_seconds) best.try_emplace(analysis.ranked[i].workers, i);
  }
  std::vector<std::size_t> indices;
  for (const auto& [workers, index] : best) indices.push_back(index);
  return indices;
}

}  // namespace convoy::study
