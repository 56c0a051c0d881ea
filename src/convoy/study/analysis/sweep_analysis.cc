#include "convoy/study/analysis/sweep_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "convoy/study/measure/convergence.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::study {
namespace {

std::int64_t epochs_of(const PointResult& point) {
  std::int64_t epochs = 0;
  for (const StudyRun& run : point.runs) epochs = std::max(epochs, run.outcome.epochs);
  return epochs;
}

// A run's curve and the index of its point.
struct OwnedCurve {
  std::size_t point;
  LossCurve curve;
};

// Only halving gives up points. Otherwise every point is trained to its end, even if the number of epochs itself
// varies.
bool is_given_up(const StudySpec& spec, const PointResult& point, std::int64_t most_epochs) {
  return spec.halving && epochs_of(point) < most_epochs;
}

std::vector<OwnedCurve> curves_of(const StudyResults& results, std::int64_t most_epochs, CurveAxis axis) {
  std::vector<OwnedCurve> curves;
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    if (is_given_up(results.spec, results.points[i], most_epochs)) continue;
    for (const StudyRun& run : results.points[i].runs) {
      curves.push_back(
          {i, run.counts() ? loss_curve(*run.measures, axis, CurveLoss::train, results.spec.price) : LossCurve{}});
    }
  }
  return curves;
}

// The mean losses of the runs of each point; points with a run without a loss are left out.
struct AxisRanking {
  std::map<std::size_t, std::vector<double>> losses;
  std::map<std::size_t, std::string> reasons;
  std::optional<Stretch> stretch;
};

AxisRanking rank_axis(const StudyResults& results, std::int64_t most_epochs, CurveAxis axis) {
  const std::vector<OwnedCurve> owned = curves_of(results, most_epochs, axis);
  std::vector<LossCurve> curves;
  for (const OwnedCurve& each : owned) curves.push_back(each.curve);
  const LossRanking ranking = rank_by_loss_area(curves);
  AxisRanking result{.losses = {}, .reasons = {}, .stretch = ranking.stretch};
  for (const RankedLoss& ranked : ranking.ranked) {
    const std::size_t point = owned[ranked.curve].point;
    if (ranked.mean_loss) result.losses[point].push_back(*ranked.mean_loss);
    if (!ranked.mean_loss) result.reasons[point] = ranked.reason;
  }
  for (const auto& [point, reason] : result.reasons) result.losses.erase(point);
  return result;
}

bool has_only_steps(const StudyResults& results) {
  return std::ranges::all_of(results.points, [](const PointResult& point) {
    return std::ranges::all_of(point.runs,
                               [](const StudyRun& run) { return !run.counts() || !run.measures->loss_steps.empty(); });
  });
}

std::vector<double> values_of(const AxisRanking& ranking, std::size_t index) {
  const auto found = ranking.losses.find(index);
  return found == ranking.losses.end() ? std::vector<double>() : found->second;
}

std::optional<double> mean_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(mean(values));
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
                   .name = point_text(result.point, varied_keys(results.spec)),
                   .workers = number_at(results.spec, result.point, "workers", 1),
                   .oversubscribed = result.oversubscribed,
                   .statistics = statistics_of(results, result),
                   .epochs = epochs_of(result)};
  if (point.oversubscribed) point.name += " (oversubscribed)";
  point.given_up = is_given_up(results.spec, result, most_epochs);
  point.final_loss = mean_over_runs(result, [](const CurvePoint& last) { return std::optional(last.train_loss); });
  point.final_accuracy = mean_over_runs(result, [](const CurvePoint& last) { return last.test_top1; });
  point.trouble = first_trouble(result);
  return point;
}

// The order of points that were given up: first those that came farther, then by their last loss.
bool came_before(const SweepPoint& a, const SweepPoint& b) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if (a.epochs != b.epochs) return a.epochs > b.epochs;
  return a.final_loss.value_or(kNone) < b.final_loss.value_or(kNone);
}

bool ranks_before(const SweepPoint& a, const SweepPoint& b) {
  const auto place = [](const SweepPoint& point) { return point.loss_by_seconds ? 0 : point.trouble.empty() ? 1 : 2; };
  if (place(a) != place(b)) return place(a) < place(b);
  return place(a) == 0 ? *a.loss_by_seconds < *b.loss_by_seconds : came_before(a, b);
}

const PointResult& result_of(const StudyResults& results, const SweepPoint& point) {
  return *std::ranges::find(results.points, point.point, &PointResult::point);
}

// The last epoch at or after which every run of the ranked points was evaluated.
std::int64_t last_common_evaluation(const StudyResults& results, const SweepAnalysis& analysis) {
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  for (const SweepPoint& point : analysis.ranked) {
    if (!point.loss_by_seconds) continue;
    for (const StudyRun& run : result_of(results, point).runs) {
      const auto curve = accuracy_curve(*run.measures);
      if (!curve.empty()) last = std::min(last, curve.back().epoch);
    }
  }
  return last;
}

void compare_accuracies(const StudyResults& results, SweepAnalysis& analysis) {
  analysis.accuracy_epoch = last_common_evaluation(results, analysis);
  std::vector<PointAccuracy> compared;
  for (SweepPoint& point : analysis.ranked) {
    for (const StudyRun& run : result_of(results, point).runs) {
      if (!point.loss_by_seconds) break;
      const auto curve = up_to_epoch(accuracy_curve(*run.measures), analysis.accuracy_epoch);
      if (!curve.empty()) point.accuracies.runs.push_back(curve.back().accuracy);
      point.accuracies.test_data = run.measures->test_data;
    }
    compared.push_back(point.accuracies);
  }
  analysis.accuracy_lead = lead_by_accuracy(compared);
}

// The results for one number of workers, as a study of their own.
StudyResults results_with(const StudyResults& results, std::int64_t workers) {
  StudyResults part = results;
  for (Axis& axis : part.spec.axes) {
    if (axis.key == "workers") axis.values = {fmt::format("{}", workers)};
  }
  std::erase_if(part.points, [&](const PointResult& point) {
    return number_at(results.spec, point.point, "workers", 1) != workers;
  });
  return part;
}

std::vector<WorkersSweep> sweeps_by_workers(const StudyResults& results) {
  std::set<std::int64_t> workers;
  for (const PointResult& point : results.points) workers.insert(number_at(results.spec, point.point, "workers", 1));
  std::vector<WorkersSweep> sweeps;
  if (workers.size() < 2) return sweeps;
  for (const std::int64_t each : workers) {
    const StudyResults part = results_with(results, each);
    sweeps.push_back({.workers = each, .spec = part.spec, .analysis = analyse_sweep(part)});
  }
  return sweeps;
}

// The best point for each number of workers, by the ranking among points with that number.
std::vector<std::size_t> best_by_workers(const SweepAnalysis& analysis) {
  const auto is_ranked = [](const SweepAnalysis& sweep) {
    return !sweep.ranked.empty() && sweep.ranked.front().loss_by_seconds;
  };
  if (analysis.by_workers.empty()) {
    return is_ranked(analysis) ? std::vector<std::size_t>{0} : std::vector<std::size_t>();
  }
  std::vector<std::size_t> indices;
  for (const WorkersSweep& sweep : analysis.by_workers) {
    if (!is_ranked(sweep.analysis)) continue;
    const auto best = std::ranges::find(analysis.ranked, sweep.analysis.ranked.front().point, &SweepPoint::point);
    indices.push_back(static_cast<std::size_t>(best - analysis.ranked.begin()));
  }
  return indices;
}

// Why the first point may not be called the best.
std::string why_no_winner(const SweepAnalysis& analysis, const SweepLead& lead) {
  constexpr std::size_t kMostRivals = 4;  // how many are named
  if (analysis.ranked.empty() || !analysis.ranked.front().loss_by_seconds) {
    return "No point that was trained to the end has a finite loss, so there is no best one.";
  }
  if (lead.rivals.empty()) return "No other point has a rank, so there is nothing to compare it with.";
  if (lead.disturbed) {
    return "Others used the cores while some of them were measured, which then learn more slowly, so no winner is "
           "named.";
  }
  if (!lead.repeated) {
    return "Each is a single run, so how much of that is chance is not known, and no winner is named; `--repeats 3` "
           "would tell.";
  }
  std::vector<std::string> names;
  for (const std::size_t index : lead.rivals) {
    if (names.size() < kMostRivals) names.push_back("(" + analysis.ranked[index].name + ")");
  }
  const std::size_t left = lead.rivals.size() - names.size();
  return fmt::format("The spread of the runs does not tell it from {}{}, so no winner is named.",
                     fmt::join(names, ", "), left > 0 ? fmt::format(" and {} more", left) : "");
}

}  // namespace

SweepAnalysis analyse_sweep(const StudyResults& results) {
  SweepAnalysis analysis;
  std::int64_t most = 0;
  for (const PointResult& point : results.points) most = std::max(most, epochs_of(point));
  const AxisRanking seconds = rank_axis(results, most, CurveAxis::seconds);
  const AxisRanking samples = rank_axis(results, most, CurveAxis::samples);
  const AxisRanking cost = results.spec.price > 0 ? rank_axis(results, most, CurveAxis::cost) : AxisRanking{};
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    SweepPoint& point = analysis.ranked.emplace_back(describe(results, i, most));
    point.losses_by_seconds = values_of(seconds, i);
    point.loss_by_seconds = mean_of(point.losses_by_seconds);
    point.loss_by_samples = mean_of(values_of(samples, i));
    point.loss_by_cost = mean_of(values_of(cost, i));
    if (point.trouble.empty() && seconds.reasons.contains(i)) point.trouble = seconds.reasons.at(i);
  }
  analysis.seconds = seconds.stretch;
  analysis.samples = samples.stretch;
  analysis.cost = cost.stretch;
  analysis.by_steps = has_only_steps(results);
  std::ranges::stable_sort(analysis.ranked, ranks_before);
  compare_accuracies(results, analysis);
  analysis.lead = lead_of(analysis);
  analysis.by_workers = sweeps_by_workers(results);
  analysis.best_for_workers = best_by_workers(analysis);
  return analysis;
}

SweepLead lead_of(const SweepAnalysis& analysis) {
  SweepLead lead;
  for (std::size_t i = 1; i < analysis.ranked.size() && analysis.ranked[i].loss_by_seconds; ++i) {
    const auto larger_by =
        difference_95(analysis.ranked[i].losses_by_seconds, analysis.ranked.front().losses_by_seconds);
    if (i == 1) lead.to_second = larger_by;
    if (larger_by) lead.repeated = true;
    const bool disturbed =
        analysis.ranked.front().statistics.rests_on_disturbed || analysis.ranked[i].statistics.rests_on_disturbed;
    lead.disturbed = lead.disturbed || disturbed;
    if (disturbed || !larger_by || larger_by->low <= 0) lead.rivals.push_back(i);
  }
  if (!lead.is_shown()) lead.why_none = why_no_winner(analysis, lead);
  return lead;
}

}  // namespace convoy::study
