#include "convoy/study/plan/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/rng.h"
#include "convoy/record/json_fields.h"

namespace convoy::study {
namespace {

void check_axes(const StudySpec& spec) {
  std::set<std::string> seen;
  for (const Axis& axis : spec.axes) {
    if (axis.values.empty()) throw UserError("'{}' is to vary, but has no values", axis.key);
    if (!seen.insert(axis.key).second) throw UserError("'{}' is to vary twice; give all its values at once", axis.key);
    if (spec.settings.contains(axis.key)) throw UserError("'{}' is to vary, and is also given a value", axis.key);
    const std::set<std::string> different(axis.values.begin(), axis.values.end());
    if (different.size() != axis.values.size()) throw UserError("'{}' is given the same value twice", axis.key);
  }
  if (spec.repeats < 1) throw UserError("repeats must be at least 1, got {}", spec.repeats);
}

std::vector<Point> combinations(const std::vector<Axis>& axes) {
  std::vector<Point> points = {{}};
  for (const Axis& axis : axes) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back()[axis.key] = value;
      }
    }
    points = std::move(longer);
  }
  return points;
}

Point without_needless(const StudySpec& spec, Point point) {
  if (value_at(spec, point, "workers", "1") != "1") return point;
  for (const char* key : {"allreduce", "async", "scaling"}) point.erase(key);
  return point;
}

std::vector<Point> distinct_points(const StudySpec& spec) {
  std::vector<Point> points;
  for (const Point& point : combinations(spec.axes)) {
    Point needed = without_needless(spec, point);
    if (std::ranges::find(points, needed) == points.end()) points.push_back(std::move(needed));
  }
  return points;
}

std::vector<Point> shuffled(std::vector<Point> points, std::uint64_t seed) {
  Rng rng(seed);
  for (std::size_t left = points.size(); left > 1; --left) {
    std::swap(points[left - 1], points[rng.below(static_cast<std::uint32_t>(left))]);
  }
  return points;
}

bool is_oversubscribed(const StudySpec& spec, const Point& point) {
  const auto number = [&](const char* key) { return std::stoll(value_at(spec, point, key, "1")); };
  return number("workers") * number("threads") > spec.cores;
}

}  // namespace

std::string point_text(const Point& point) {
  std::string text;
  for (const auto& [key, value] : point) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value);
  return text.empty() ? "alone" : text;
}

std::string point_text(const Point& point, const std::vector<std::string>& keys) {
  Point named;
  for (const std::string& key : keys) {
    if (const auto found = point.find(key); found != point.end()) named.insert(*found);
  }
  return point_text(named);
}

std::vector<std::string> varied_keys(const StudySpec& spec) {
  std::vector<std::string> keys;
  for (const Axis& axis : spec.axes) {
    if (axis.values.size() > 1) keys.push_back(axis.key);
  }
  return keys;
}

std::string run_id(const Point& point, int repeat) {
  std::string name;
  for (const auto& [key, value] : point) name += fmt::format("{}-{}.", key, value);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_' && c != '+'; }, '-');
  return fmt::format("{}run-{}", name, repeat);
}

std::string value_at(const StudySpec& spec, const Point& point, const std::string& key, const std::string& otherwise) {
  if (const auto found = point.find(key); found != point.end()) return found->second;
  if (const auto found = spec.settings.find(key); found != spec.settings.end()) return found->second;
  return otherwise;
}

std::vector<PlannedRun> plan_runs(const StudySpec& spec) {
  check_axes(spec);
  std::vector<Point> points = distinct_points(spec);
  if (spec.random_points > 0 && static_cast<std::size_t>(spec.random_points) < points.size()) {
    points = shuffled(std::move(points), spec.order_seed);
    points.resize(static_cast<std::size_t>(spec.random_points));
  }
  std::vector<PlannedRun> runs;
  for (int repeat = 1; repeat <= spec.repeats; ++repeat) {
    for (const Point& point : shuffled(points, spec.order_seed + static_cast<std::uint64_t>(repeat))) {
      runs.push_back({run_id(point, repeat), point, repeat, is_oversubscribed(spec, point)});
    }
  }
  return runs;
}

PlannedRun attempt_of(const PlannedRun& run, int attempt) {
  PlannedRun again = run;
  again.attempt = attempt;
  if (attempt > 1) again.id = fmt::format("{}.attempt-{}", run.id, attempt);
  return again;
}

PlannedRun retrained_run(const PlannedRun& run) {
  PlannedRun longer = run;
  longer.retrained = true;
  longer.id = run.id + ".retrained";
  return longer;
}

std::map<std::string, std::string> settings_of(const StudySpec& spec, const PlannedRun& run) {
  std::map<std::string, std::string> settings = spec.settings;
  for (const auto& [key, value] : run.point) settings[key] = value;
  const std::uint64_t first_seed = std::stoull(value_at(spec, run.point, "seed", "1"));
  settings["seed"] = fmt::format("{}", first_seed + static_cast<std::uint64_t>(run.repeat) - 1);
  return settings;
}

nlohmann::ordered_json to_json(const RunOutcome& outcome) {
  nlohmann::ordered_json json = {{"id", outcome.run.id},
                                 {"point", outcome.run.point},
                                 {"repeat", outcome.run.repeat},
                                 {"oversubscribed", outcome.run.oversubscribed ? 1 : 0},
                                 {"epochs", outcome.epochs},
                                 {"exit_code", outcome.exit_code},
                                 {"turnaround_seconds", json_number(outcome.turnaround_seconds)},
                                 {"message", outcome.message},
                                 {"finished", outcome.finished}};
  if (outcome.run.attempt > 1) json["attempt"] = outcome.run.attempt;
  if (outcome.run.retrained) json["retrained"] = 1;
  return json;
}

RunOutcome run_outcome_from(const nlohmann::ordered_json& json) {
  RunOutcome outcome;
  std::int64_t repeat = 0;
  std::int64_t oversubscribed = 0;
  std::int64_t exit_code = 0;
  read_field(json, "id", outcome.run.id);
  read_field(json, "point", outcome.run.point);
  read_field(json, "repeat", repeat);
  read_field(json, "oversubscribed", oversubscribed);
  read_field(json, "epochs", outcome.epochs);
  read_field(json, "exit_code", exit_code);
  read_field(json, "turnaround_seconds", outcome.turnaround_seconds);
  read_field(json, "message", outcome.message);
  read_field(json, "finished", outcome.finished);
  outcome.run.repeat = static_cast<int>(repeat);
  outcome.run.oversubscribed = oversubscribed != 0;
  outcome.exit_code = static_cast<int>(exit_code);
  std::int64_t attempt = 1;
  if (json.contains("attempt")) read_field(json, "attempt", attempt);
  outcome.run.attempt = static_cast<int>(attempt);
  outcome.run.retrained = json.contains("retrained");
  return outcome;
}

}  // namespace convoy::study
