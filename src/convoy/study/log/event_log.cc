#include "convoy/study/log/event_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"

namespace convoy::study {
namespace {

namespace fs = std::filesystem;

enum class Quantity { loss, accuracy, test_loss, test_accuracy, rate };

constexpr std::array kTestWords = {"val", "valid", "validation", "test", "eval", "evaluation"};
constexpr std::array kStepWords = {"step", "steps", "batch", "iteration", "iterations", "iter"};

// Splits a tag such as "epoch_loss" or "Loss/train" into words in lower case.
std::vector<std::string> words_of(const std::string& tag) {
  std::vector<std::string> words(1);
  for (const char c : tag) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      words.back() += static_cast<char>(std::tolower(byte));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

template <std::size_t kCount>
bool has_any(const std::vector<std::string>& words, const std::array<const char*, kCount>& looked_for) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return std::ranges::find(looked_for, word) != looked_for.end(); });
}

std::optional<Quantity> quantity_of(const std::string& tag) {
  constexpr std::array kRateWords = {"samples", "images", "examples", "throughput"};
  constexpr std::array kAccuracyWords = {"acc", "accuracy", "top1"};
  constexpr std::array kLossWords = {"loss"};
  const std::vector<std::string> words = words_of(tag);
  if (has_any(words, kStepWords)) return std::nullopt;
  const bool is_test = has_any(words, kTestWords);
  if (has_any(words, kRateWords)) return Quantity::rate;
  if (has_any(words, kLossWords)) return is_test ? Quantity::test_loss : Quantity::loss;
  if (has_any(words, kAccuracyWords)) return is_test ? Quantity::test_accuracy : Quantity::accuracy;
  return std::nullopt;
}

using Curve = std::map<std::int64_t, EventPoint>;  // by step; if a step has several points, the last counts

struct Curves {
  std::map<Quantity, Curve> understood;
  std::set<std::string> passed_over;  // tags

  [[nodiscard]] const Curve* find(Quantity quantity) const {
    const auto found = understood.find(quantity);
    return found == understood.end() ? nullptr : &found->second;
  }
};

// Each quantity is taken from one tag: the first in the file that stands for it.
Curves sort_out(const Events& events) {
  Curves curves;
  std::map<Quantity, std::string> tags;
  for (const EventPoint& point : events.points) {
    const auto quantity = quantity_of(point.tag);
    if (quantity && tags.try_emplace(*quantity, point.tag).first->second == point.tag) {
      curves.understood[*quantity][point.step] = point;
    } else {
      curves.passed_over.insert(point.tag);
    }
  }
  return curves;
}

// The curve that has one point per epoch.
const Curve& curve_of_epochs(const Curves& curves) {
  constexpr std::size_t kMostEpochsToATest = 20;
  const Curve* train = nullptr;
  const Curve* test = nullptr;
  for (const Quantity quantity : {Quantity::rate, Quantity::accuracy, Quantity::loss}) {
    if (const Curve* const curve = curves.find(quantity)) train = curve;
  }
  for (const Quantity quantity : {Quantity::test_loss, Quantity::test_accuracy}) {
    if (const Curve* const curve = curves.find(quantity)) test = curve;
  }
  const bool is_of_steps = train != nullptr && test != nullptr && train->size() > kMostEpochsToATest * test->size();
  return train == nullptr || is_of_steps ? *test : *train;
}

// The mean of the points after `begin` and up to `end`.
std::optional<double> mean_between(const Curve* curve, std::int64_t begin, std::int64_t end) {
  if (curve == nullptr) return std::nullopt;
  double sum = 0;
  int count = 0;
  for (auto point = curve->upper_bound(begin); point != curve->end() && point->first <= end; ++point) {
    sum += point->second.value;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

bool is_in_percent(const Curve& curve) {
  return std::ranges::any_of(curve, [](const auto& point) { return point.second.value > 1; });
}

std::optional<double> error_between(const Curve* curve, std::int64_t begin, std::int64_t end, const std::string& name) {
  const auto accuracy = mean_between(curve, begin, end);
  if (!accuracy) return std::nullopt;
  const double share = is_in_percent(*curve) ? *accuracy / 100 : *accuracy;
  if (!(share >= 0 && share <= 1)) {
    throw DataError("{}: an accuracy of {:g} up to step {}; it is a share or in percent", name, *accuracy, end);
  }
  return 1 - share;
}

std::vector<ImportedEpoch> epochs_of(const Curves& curves, double begin_time, const std::string& name) {
  std::vector<ImportedEpoch> epochs;
  std::int64_t begin = -1;
  for (const auto& [end, point] : curve_of_epochs(curves)) {
    ImportedEpoch epoch;
    epoch.epoch = std::ssize(epochs) + 1;
    epoch.seconds = std::max(0.0, point.wall_time - begin_time);
    epoch.samples_per_second = mean_between(curves.find(Quantity::rate), begin, end).value_or(0);
    epoch.samples = epoch.samples_per_second * epoch.seconds;
    epoch.loss = mean_between(curves.find(Quantity::loss), begin, end);
    epoch.error = error_between(curves.find(Quantity::accuracy), begin, end, name);
    epoch.test_loss = mean_between(curves.find(Quantity::test_loss), begin, end);
    epoch.test_error = error_between(curves.find(Quantity::test_accuracy), begin, end, name);
    epochs.push_back(epoch);
    begin = end;
    begin_time = point.wall_time;
  }
  return epochs;
}

// In Keras' folders the name of the folder says what the tags do not.
bool is_of_evaluation(const fs::path& folder) {
  return std::ranges::find(kTestWords, folder.filename().string()) != kTestWords.end();
}

bool is_part_of_run(const fs::path& folder) { return folder.filename() == "train" || is_of_evaluation(folder); }

void add_folder(const fs::path& folder, bool is_test, Events& all) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().find("tfevents") != std::string::npos) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  Events events;
  for (const fs::path& file : files) events = read_events(read_file(file), file.string(), std::move(events));
  for (EventPoint& point : events.points) {
    if (is_test) point.tag = "validation/" + point.tag;
  }
  if (events.begin > 0) all.begin = all.begin == 0 ? events.begin : std::min(all.begin, events.begin);
  std::ranges::move(events.points, std::back_inserter(all.points));
}

// The folder that is named after the run: neither names of event files nor those of parts of a run say anything.
std::string run_name(fs::path path) {
  const auto says_nothing = [](const fs::path& part) {
    return part.filename().empty() || part.filename() == "tensorboard" || is_part_of_run(part) ||
           part.filename().string().find("tfevents") != std::string::npos;
  };
  while (path.has_relative_path() && says_nothing(path)) path = path.parent_path();
  return path.filename().string();
}

}  // namespace

ImportedLog log_of_curves(const Events& events, const std::string& name) {
  const Curves curves = sort_out(events);
  if (curves.understood.empty()) {
    throw DataError("{}: no curve of a loss or an accuracy over epochs; its tags are: {}", name,
                    curves.passed_over.empty() ? "none" : fmt::format("{}", fmt::join(curves.passed_over, ", ")));
  }
  ImportedLog log;
  log.name = name;
  log.system = "TensorBoard";
  log.settings = settings_from_name(run_name(name));
  log.lines = epochs_of(curves, events.begin, name);
  if (!curves.passed_over.empty()) {
    log.notes.push_back(fmt::format("curves passed over: {}", fmt::join(curves.passed_over, ", ")));
  }
  return log;
}

std::vector<ImportedLog> parse_event_log(std::string_view bytes, const std::string& name) {
  return {log_of_curves(read_events(bytes, name), name)};
}

std::vector<ImportedLog> read_event_folder(const fs::path& folder) {
  Events all;
  add_folder(folder, false, all);
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && is_part_of_run(entry.path())) {
      add_folder(entry.path(), is_of_evaluation(entry.path()), all);
    }
  }
  if (all.points.empty()) throw DataError("{}: no event files of TensorBoard with curves", folder.string());
  std::ranges::stable_sort(all.points, {}, &EventPoint::wall_time);
  return {log_of_curves(all, folder.string())};
}

}  // namespace convoy::study
