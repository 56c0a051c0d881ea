#include "convoy/study/run/study_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "convoy/base/error.h"
#include "convoy/record/run_record.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::study {
namespace {

std::optional<double> as_number(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool point_before(const Point& a, const Point& b) {
  // Points with fewer values come first: they are the base of several series.
  if (a.size() != b.size()) return a.size() < b.size();
  for (auto left = a.begin(), right = b.begin(); left != a.end(); ++left, ++right) {
    if (left->first != right->first) return left->first < right->first;
    if (left->second != right->second) return value_before(left->second, right->second);
  }
  return false;
}

std::string trouble_of(const RunOutcome& outcome, const std::optional<RunMeasures>& measures) {
  if (outcome.exit_code != 0)
    return outcome.message.empty() ? fmt::format("exit code {}", outcome.exit_code) : outcome.message;
  if (!measures) return "it left no record";
  return "";
}

std::optional<std::int64_t> number_in(const nlohmann::ordered_json& configuration, const char* key) {
  const auto found = configuration.find(key);
  if (found == configuration.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

PointResult& point_of(StudyResults& results, const PlannedRun& run) {
  const auto found = std::ranges::find(results.points, run.point, &PointResult::point);
  if (found != results.points.end()) return *found;
  return results.points.emplace_back(PointResult{.point = run.point, .oversubscribed = run.oversubscribed, .runs = {}});
}

// When the study was planned, each host was counted as a machine of its own; the record may show that they share one.
void correct_cores(StudyResults& results, const PlannedRun& run, const RunInfo& info) {
  const std::optional<std::int64_t> shared = shared_hardware_threads(info);
  if (!shared) return;
  const std::int64_t threads = number_in(info.configuration, "threads").value_or(1);
  if (info.ranks * threads > *shared) point_of(results, run).oversubscribed = true;
  results.spec.cores = std::min(results.spec.cores, static_cast<int>(*shared));
}

void add_measures(StudyResults& results, const StudyFolder& folder, StudyRun& run) {
  const std::string& id = run.outcome.run.id;
  const auto path = folder.run_folder(id);
  if (!is_run_folder(path)) return;
  const RunRecord record = read_run(path);
  run.measures = measure_run(record, folder.spec().skipped_epochs);
  for (const std::string& note : record.notes) results.notes.push_back(note);
  for (const std::string& note : run.measures->notes) results.notes.push_back(fmt::format("{}: {}", id, note));
  if (!results.info) results.info = record.info;
  correct_cores(results, run.outcome.run, record.info);
}

void add_run(StudyResults& results, const StudyFolder& folder, const RunOutcome& outcome) {
  StudyRun run{.outcome = outcome, .measures = std::nullopt, .trouble = {}};
  try {
    add_measures(results, folder, run);
    run.trouble = trouble_of(outcome, run.measures);
  } catch (const DataError& error) {
    run.trouble = error.what();
  }
  if (!run.counts()) {
    ++results.failed_runs;
    results.notes.push_back(fmt::format("{} failed: {}", outcome.run.id, run.trouble));
  }
  if (outcome.run.retrained) {
    results.retrained.push_back(std::move(run));
    return;
  }
  if (run.counts() && run.is_disturbed()) ++results.disturbed_runs;
  if (outcome.run.attempt == 1) ++results.ended_runs;
  point_of(results, outcome.run).runs.push_back(std::move(run));
}

// Whether no later attempt was made at the same planned run.
bool is_last_attempt(const PointResult& point, const PlannedRun& run) {
  return std::ranges::none_of(point.runs, [&](const StudyRun& other) {
    return other.outcome.run.repeat == run.repeat && other.outcome.run.attempt > run.attempt;
  });
}

// Much of what a study measures is true for one batch only, so the batch is named even if it is the default.
void add_default_batch(StudyResults& results) {
  StudySpec& spec = results.spec;
  const bool is_said =
      spec.settings.contains("batch") || std::ranges::find(spec.axes, "batch", &Axis::key) != spec.axes.end();
  if (is_said || kind_row(spec.kind).imported || !results.info) return;
  if (const auto batch = number_in(results.info->configuration, "batch")) {
    spec.settings["batch"] = fmt::format("{}", *batch);
  }
}

}  // namespace

Repetition repetition_of(const StudyResults& results) {
  Repetition found = Repetition::done;
  for (const PointResult& point : results.points) {
    for (const StudyRun& run : point.runs) {
      if (!run.is_disturbed() || !is_last_attempt(point, run.outcome.run)) continue;
      if (run.outcome.run.attempt < kMostAttempts) return Repetition::possible;
      found = Repetition::exhausted;
    }
  }
  return found;
}

std::optional<std::int64_t> shared_hardware_threads(const RunInfo& info) {
  std::map<std::string, std::int64_t> machines;
  for (const HostInfo& host : info.hosts) {
    if (host.boot_id.empty() || host.hardware_threads == 0) return std::nullopt;
    machines[host.boot_id] = host.hardware_threads;
  }
  if (machines.size() == info.hosts.size()) return std::nullopt;
  std::int64_t threads = 0;
  for (const auto& [boot_id, count] : machines) threads += count;
  return threads;
}

bool value_before(const std::string& a, const std::string& b) {
  const auto left = as_number(a);
  const auto right = as_number(b);
  if (left && right) return *left < *right;
  return a < b;
}

StudyResults read_results(const StudyFolder& folder) {
  StudyResults results{.folder = folder.path(), .spec = folder.spec()};
  results.notes = folder.notes();
  for (const RunOutcome& outcome : folder.outcomes()) add_run(results, folder, outcome);
  add_default_batch(results);
  const bool is_planned = !kind_row(folder.spec().kind).imported;
  results.planned_runs = is_planned ? plan_runs(folder.spec()).size() : results.ended_runs;
  std::ranges::sort(results.points,
                    [](const PointResult& a, const PointResult& b) { return point_before(a.point, b.point); });
  for (PointResult& point : results.points) {
    std::ranges::sort(point.runs, {},
                      [](const StudyRun& run) { return std::pair(run.outcome.run.repeat, run.outcome.run.attempt); });
  }
  return results;
}

}  // namespace convoy::study
