#include "convoy/study/analysis/imported_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "convoy/base/file/input_file.h"
#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::study {
namespace {

// Not used as an axis: it follows from the model and would make every point a series of its own.
constexpr const char* kParameters = "parameters";

bool is_complete(const ImportedLog& log) {
  return std::ranges::all_of(kDecidingSettings, [&](const char* key) { return log.settings.contains(key); });
}

using Settings = std::vector<std::map<std::string, std::string>>;

// The settings of each log that count. Names count only as long as some log lacks a deciding setting.
Settings settings_of_all(std::span<const ImportedLog> logs) {
  Settings all;
  const bool complete = std::ranges::all_of(logs, is_complete);
  for (const ImportedLog& log : logs) {
    all.push_back(log.settings);
    all.back().erase(kParameters);
    if (complete) all.back().erase(kNameSetting);
  }
  return all;
}

std::set<std::string> varying_keys(const Settings& all) {
  std::map<std::string, std::set<std::string>> values;
  for (const auto& settings : all) {
    for (const auto& [key, value] : settings) values[key].insert(value);
  }
  std::set<std::string> keys = {"workers"};
  for (const auto& [key, different] : values) {
    const bool everywhere = std::ranges::all_of(all, [&, name = key](const auto& s) { return s.contains(name); });
    if (different.size() > 1 || !everywhere) keys.insert(key);
  }
  return keys;
}

// The name of a run's folder, short enough for a file system. A number makes it unique, since different points may get
// the same name there.
std::string new_id(const Point& point, int repeat, std::set<std::string>& taken) {
  constexpr std::size_t kLongest = 200;
  const std::string name = run_id(point, repeat).substr(0, kLongest);
  std::string id = name;
  for (int number = 2; !taken.insert(id).second; ++number) id = fmt::format("{}-{}", name, number);
  return id;
}

std::vector<std::string> values_of(const std::vector<PlannedRun>& runs, const std::string& key) {
  std::vector<std::string> values;
  for (const PlannedRun& run : runs) {
    const std::string& value = run.point.at(key);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

// How many runs have logs that do not say this setting.
std::size_t count_silent(const StudyResults& results, const std::string& key) {
  std::size_t count = 0;
  for (const PointResult& point : results.points) {
    const std::string value = value_at(results.spec, point.point, key, kUnknownValue);
    if (value == kUnknownValue) count += point.runs.size();
  }
  return count;
}

std::string silence_text(const std::string& key, std::size_t silent, std::size_t runs) {
  const std::string its = silent == 1 || silent == runs ? "its " : "their ";
  const std::string what = key == "workers" ? "the number of workers" : its + key;
  if (silent == 1) {
    const std::string who = runs == 1 ? "The log" : fmt::format("1 of {} logs", runs);
    return fmt::format("{} does not say {}{}.", who, what, runs == 1 ? "" : ": it is compared with no other");
  }
  const std::string who = silent == runs ? "No log says" : fmt::format("Of {1} logs {0} do not say", silent, runs);
  if (key == "workers") return fmt::format("{} {}: they are compared with none.", who, what);
  return fmt::format("{} {}: they are compared with {}each other as if it were the same.", who, what,
                     silent == runs ? "" : "no log that does, and with ");
}

const std::optional<Summary>& measured(const PointStatistics& statistics) {
  return statistics.line_throughput ? statistics.line_throughput : statistics.epoch_throughput;
}

// The throughputs of the points that a figure may be about.
std::vector<Summary> found_for(const StudyResults& results, const PublishedFigure& figure) {
  std::vector<Summary> found;
  for (const PointResult& point : results.points) {
    if (number_at(results.spec, point.point, figure.size_key, 0) != figure.size) continue;
    Point all = point.point;
    all.insert(results.spec.settings.begin(), results.spec.settings.end());
    if (!names_settings(figure.series, all)) continue;
    const PointStatistics statistics = statistics_of(point, 0);
    if (measured(statistics)) found.push_back(*measured(statistics));
  }
  return found;
}

}  // namespace

ImportedStudy imported_study(std::span<const ImportedLog> logs) {
  ImportedStudy study{.spec = {.kind = StudyKind::imported, .skipped_epochs = 0}, .runs = {}};
  const Settings all = settings_of_all(logs);
  const std::set<std::string> keys = varying_keys(all);
  std::map<Point, int> repeats;
  std::set<std::string> ids;
  for (const auto& settings : all) {
    Point point;
    for (const std::string& key : keys) point[key] = kUnknownValue;
    for (const auto& [key, value] : settings) (keys.contains(key) ? point : study.spec.settings)[key] = value;
    const int repeat = ++repeats[point];
    study.runs.push_back({.id = new_id(point, repeat, ids), .point = point, .repeat = repeat});
  }
  for (const std::string& key : keys) study.spec.axes.push_back({.key = key, .values = values_of(study.runs, key)});
  for (const auto& [point, count] : repeats) study.spec.repeats = std::max(study.spec.repeats, count);
  return study;
}

namespace {

// Whether points differ in this setting and all of them say it.
bool is_varied(const StudyResults& results, const std::string& key) {
  std::set<std::string> values;
  for (const PointResult& point : results.points) values.insert(value_at(results.spec, point.point, key, ""));
  return values.size() > 1 && !values.contains(kUnknownValue);
}

template <typename Is>
bool any_measured(const StudyResults& results, Is is) {
  return std::ranges::any_of(results.points, [&](const PointResult& point) {
    return std::ranges::any_of(point.runs, [&](const StudyRun& run) { return run.measures && is(*run.measures); });
  });
}

bool has_throughput(const RunMeasures& measures) { return measures.throughput.has_value(); }

bool has_test_accuracy(const RunMeasures& measures) {
  return std::ranges::any_of(measures.curve, [](const CurvePoint& point) { return point.test_top1.has_value(); });
}

}  // namespace

StudyKind question_of(const StudyResults& results) {
  if (!kind_row(results.spec.kind).imported) return results.spec.kind;
  if (!any_measured(results, has_throughput) && any_measured(results, has_test_accuracy)) return StudyKind::converge;
  const bool sizes_vary = is_varied(results, "workers") || is_varied(results, "threads");
  return !sizes_vary && is_varied(results, "batch") ? StudyKind::batch : StudyKind::imported;
}

std::vector<std::string> unknown_remarks(const StudyResults& results) {
  std::vector<std::string> remarks;
  if (!kind_row(results.spec.kind).imported) return remarks;
  for (const char* const key : kDecidingSettings) {
    const std::size_t silent = count_silent(results, key);
    if (silent > 0) remarks.push_back(silence_text(key, silent, results.ended_runs));
  }
  if (remarks.empty()) return remarks;
  for (const PointResult& point : results.points) {
    if (point.runs.size() < 2) continue;
    remarks.push_back(fmt::format("{} logs say the same ({}) and are taken as repeats of one run.", point.runs.size(),
                                  point_text(point.point)));
  }
  remarks.emplace_back(
      "`--set KEY=VALUE` says it for all logs of an import, a word such as batch64 in its name for one.");
  return remarks;
}

std::vector<PublishedCheck> check_published(const StudyResults& results) {
  const std::filesystem::path file = results.folder / kPublishedFile;
  if (!std::filesystem::exists(file)) return {};
  std::vector<PublishedCheck> checks;
  for (const PublishedFigure& figure : parse_published(read_file(file), file.string())) {
    checks.push_back(check_published(figure, found_for(results, figure)));
  }
  return checks;
}

namespace {

constexpr std::array<std::string_view, 6> kSilentWords = {"on", "with", "and", "of", "the", "size"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Only the letters, digits and points, in lower case.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '.' || byte >= 0x80) result += static_cast<char>(std::tolower(byte));
  }
  return result;
}

// Splits text at blanks and punctuation, but not at hyphens: "VGG-16" is one word.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kBetween = " \t,;:/()[]=+";
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
    if (std::string word = plain(text.substr(0, end)); !word.empty()) words.push_back(std::move(word));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// Whether `member` is the family's name and a number, as "resnet34" for "resnet".
bool is_family(std::string_view family, std::string_view member) {
  return !family.empty() && !is_digit(family.back()) && member.starts_with(family) &&
         is_number(member.substr(family.size()));
}

bool says(const std::string& key, const std::string& value, const std::string& word) {
  const std::string said = plain(value);
  if (word == said || word == plain(key) + said) return true;
  return key == "model" && (is_family(word, said) || is_family(said, word));
}

class Matcher {
 public:
  explicit Matcher(const std::map<std::string, std::string>& settings) : settings_(settings) {}

  [[nodiscard]] bool all_said(const std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool number_follows = i + 1 < words.size() && is_number(words[i + 1]);
      if (number_follows && !is_number(words[i]) && is_said(words[i] + words[i + 1])) {
        ++i;
        continue;
      }
      // In "batch 256", "batch" alone says nothing; it counts only together with its number.
      if (number_follows && settings_.contains(words[i])) return false;
      if (!is_said(words[i])) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_said(const std::string& word) const {
    return std::ranges::any_of(settings_, [&](const auto& entry) { return says(entry.first, entry.second, word); });
  }

  const std::map<std::string, std::string>& settings_;
};

}  // namespace

bool names_settings(std::string_view text, const std::map<std::string, std::string>& settings) {
  std::vector<std::string> words = words_of(text);
  std::erase_if(words,
                [](const std::string& word) { return std::ranges::find(kSilentWords, word) != kSilentWords.end(); });
  return Matcher(settings).all_said(words);
}

}  // namespace convoy::study
