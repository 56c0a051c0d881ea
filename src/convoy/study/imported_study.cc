#include "convoy/study/imported_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "convoy/base/input_file.h"
#include "convoy/study/point_statistics.h"

namespace convoy::study {
namespace {

// Follows from the model and would make every point a series of its own.
constexpr const char* kParameters = "parameters";

std::set<std::string> varying_keys(std::span<const ImportedLog> logs) {
  std::map<std::string, std::set<std::string>> values;
  for (const ImportedLog& log : logs) {
    for (const auto& [key, value] : log.settings) values[key].insert(value);
  }
  std::set<std::string> keys = {"workers"};
  for (const auto& [key, different] : values) {
    const bool everywhere =
        std::ranges::all_of(logs, [&, name = key](const ImportedLog& log) { return log.settings.contains(name); });
    if (different.size() > 1 || !everywhere) keys.insert(key);
  }
  keys.erase(kParameters);
  return keys;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::set<std::string> words_of(const std::string& text) {
  std::istringstream stream(lower(text));
  std::set<std::string> words;
  for (std::string word; stream >> word;) words.insert(word);
  return words;
}

bool has_words(const StudyResults& results, const Point& point, const std::set<std::string>& words) {
  std::set<std::string> values;
  for (const auto& [key, value] : results.spec.settings) values.insert(lower(value));
  for (const auto& [key, value] : point) values.insert(lower(value));
  return std::ranges::includes(values, words);
}

const std::optional<Summary>& measured(const PointStatistics& statistics) {
  return statistics.line_throughput ? statistics.line_throughput : statistics.epoch_throughput;
}

}  // namespace

ImportedStudy imported_study(std::span<const ImportedLog> logs) {
  ImportedStudy study{.spec = {.kind = StudyKind::imported, .warm_up_epochs = 0}, .runs = {}};
  const std::set<std::string> keys = varying_keys(logs);
  std::map<Point, int> repeats;
  for (const ImportedLog& log : logs) {
    Point point;
    for (const auto& [key, value] : log.settings) {
      if (keys.contains(key)) point[key] = value;
      if (!keys.contains(key) && key != kParameters) study.spec.settings[key] = value;
    }
    const int repeat = ++repeats[point];
    study.runs.push_back({.id = run_id(point, repeat), .point = point, .repeat = repeat});
  }
  for (const std::string& key : keys) {
    Axis axis{.key = key, .values = {}};
    for (const PlannedRun& run : study.runs) {
      const auto value = run.point.find(key);
      if (value == run.point.end() || std::ranges::find(axis.values, value->second) != axis.values.end()) continue;
      axis.values.push_back(value->second);
    }
    if (!axis.values.empty()) study.spec.axes.push_back(std::move(axis));
  }
  study.spec.repeats =
      repeats.empty() ? 1 : std::ranges::max_element(repeats, {}, [](const auto& e) { return e.second; })->second;
  return study;
}

std::vector<PublishedCheck> check_published(const StudyResults& results) {
  const std::filesystem::path file = results.folder / kPublishedFile;
  if (!std::filesystem::exists(file)) return {};
  const std::vector<PublishedFigure> figures = parse_published(read_file(file), file.string());
  ComputedSummaries computed;
  for (const PublishedFigure& figure : figures) {
    std::vector<Summary> found;
    for (const PointResult& point : results.points) {
      if (number_at(results.spec, point.point, "workers", 1) != figure.workers) continue;
      if (!has_words(results, point.point, words_of(figure.series))) continue;
      const PointStatistics statistics = statistics_of(point, 0);
      if (measured(statistics)) found.push_back(*measured(statistics));
    }
    if (found.size() == 1) computed[{figure.series, figure.workers}] = found.front();
  }
  return check_published(figures, computed);
}

}  // namespace convoy::study
