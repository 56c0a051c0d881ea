#include "convoy/study/plan/study_tasks.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "convoy/study/plan/halving.h"

namespace convoy::study {
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

// The mean over the point's runs; infinite when one of them failed or diverged.
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

// The best settings of each number of workers are asked for, so each keeps its own.
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
