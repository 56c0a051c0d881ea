#include "convoy/study/plan/study_tasks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "convoy/base/check.h"

namespace convoy::study {

std::vector<std::int64_t> halving_rungs(const HalvingOptions& options) {
  CONVOY_CHECK_LE(2, options.eta);
  CONVOY_CHECK_LE(1, options.first_epochs);
  CONVOY_CHECK_LE(options.first_epochs, options.last_epochs);
  std::vector<std::int64_t> rungs = {options.first_epochs};
  while (rungs.back() < options.last_epochs) {
    // Divides instead of multiplying, which could overflow.
    const bool is_last = rungs.back() > options.last_epochs / options.eta;
    rungs.push_back(is_last ? options.last_epochs : rungs.back() * options.eta);
  }
  return rungs;
}

std::vector<std::size_t> halving_survivors(std::span<const HalvingPoint> points, std::int64_t eta) {
  CONVOY_CHECK_LE(2, eta);
  std::map<std::int64_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) groups[points[i].group].push_back(i);

  std::vector<std::size_t> survivors;
  for (auto& [group, members] : groups) {
    const std::int64_t share = std::max<std::int64_t>(std::ssize(members) / eta, 1);
    std::erase_if(members, [&](std::size_t i) { return !std::isfinite(points[i].loss); });
    std::ranges::stable_sort(members, {}, [&](std::size_t i) { return points[i].loss; });
    members.resize(static_cast<std::size_t>(std::min<std::int64_t>(share, std::ssize(members))));
    survivors.insert(survivors.end(), members.begin(), members.end());
  }
  std::ranges::sort(survivors);
  return survivors;
}

namespace {

std::int64_t epochs_of(const StudySpec& spec, const Point& point) {
  return std::stoll(value_at(spec, point, "epochs", "1"));
}

bool has_ended(const RunOutcome* outcome, std::int64_t epochs) {
  return outcome != nullptr && (outcome->exit_code != 0 || outcome->epochs >= epochs);
}

std::vector<Point> points_of(std::span<const PlannedRun> plan) {
  std::vector<Point> points;
  for (const PlannedRun& run : plan) {
    if (std::ranges::find(points, run.point) == points.end()) points.push_back(run.point);
  }
  return points;
}

// The mean loss over the point's runs; infinite when one of them failed or diverged.
double loss_of(const Point& point, std::int64_t epochs, std::span<const PlannedRun> plan,
               const TaskQuestions& questions) {
  double sum = 0;
  int count = 0;
  for (const PlannedRun& run : plan) {
    if (run.point != point) continue;
    sum += questions.loss(run.id, epochs).value_or(std::numeric_limits<double>::infinity());
    ++count;
  }
  return sum / count;
}

// The points that go on. The best settings are wanted for each number of workers, so each number is judged by itself.
std::vector<Point> survivors(const StudySpec& spec, const std::vector<Point>& points, std::int64_t epochs,
                             std::span<const PlannedRun> plan, const TaskQuestions& questions) {
  std::vector<HalvingPoint> judged;
  for (const Point& point : points) {
    judged.push_back(
        {.group = std::stoll(value_at(spec, point, "workers", "1")), .loss = loss_of(point, epochs, plan, questions)});
  }
  std::vector<Point> kept;
  for (const std::size_t index : halving_survivors(judged, spec.halving->eta)) kept.push_back(points[index]);
  return kept;
}

std::vector<Task> tasks_to(std::int64_t epochs, const std::vector<Point>& points, std::span<const PlannedRun> plan,
                           const TaskQuestions& questions) {
  std::vector<Task> tasks;
  for (const PlannedRun& run : plan) {
    if (std::ranges::find(points, run.point) == points.end()) continue;
    if (!has_ended(questions.outcome(run.id), epochs)) tasks.push_back({run, epochs});
  }
  return tasks;
}

}  // namespace

std::vector<Task> next_tasks(const StudySpec& spec, std::span<const PlannedRun> plan, const TaskQuestions& questions) {
  if (!spec.halving) {
    std::vector<Task> tasks;
    for (const PlannedRun& run : plan) {
      const std::int64_t epochs = epochs_of(spec, run.point);
      if (!has_ended(questions.outcome(run.id), epochs)) tasks.push_back({run, epochs});
    }
    return tasks;
  }
  std::vector<Point> points = points_of(plan);
  for (const std::int64_t rung : halving_rungs({.eta = spec.halving->eta,
                                 .first_epochs = spec.halving->first_epochs,
                                 .last_epochs = epochs_of(spec, {})})) {
    std::vector<Task> tasks = tasks_to(rung, points, plan, questions);
    if (!tasks.empty()) return tasks;
    points = survivors(spec, points, rung, plan, questions);
  }
  return {};
}

}  // namespace convoy::study
