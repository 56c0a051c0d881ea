#include "convoy/report/converge_words.h"

#include <fmt/format.h>

#include <cmath>

#include "convoy/base/number_text.h"
#include "convoy/report/cell_text.h"
#include "convoy/report/converge_charts.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::ConvergeAnalysis;
using study::ConvergePoint;

const ConvergePoint* most_accurate(const ConvergeAnalysis& analysis) {
  const ConvergePoint* best = nullptr;
  for (const ConvergePoint& point : analysis.points) {
    if (!point.final_accuracy) continue;
    if (best == nullptr || point.final_accuracy->mean > best->final_accuracy->mean) best = &point;
  }
  return best;
}

std::string accuracy_text(const ConvergeAnalysis& analysis) {
  const ConvergePoint* const best = most_accurate(analysis);
  if (best == nullptr) return "No run was evaluated, so nothing can be said about accuracy.";
  std::string text = fmt::format("The most accurate in the end is {}: {}", converge_name(*best),
                                 percent_text(best->final_accuracy->mean));
  if (has_spread(best->final_accuracy)) {
    text += fmt::format(" (95 % interval {} %, {})", interval_cell(best->final_accuracy, 100, 100),
                        count_text(best->final_accuracy->count, "runs"));
  } else {
    text += " in a single run, which says nothing about its spread";
  }
  return text + ".";
}

std::string runs_of(std::int64_t some, const ConvergePoint& point) {
  if (some == point.statistics.runs) return point.statistics.runs == 1 ? "" : " in all runs";
  return fmt::format(" in {} of {}", some, count_text(point.statistics.runs, "runs"));
}

std::string stable_text(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  const std::string within = short_text(spec.stable_within * 100) + (spec.stable_within == 0.01 ? " point" : " points");
  std::vector<std::string> parts;
  for (const ConvergePoint& point : analysis.points) {
    if (!point.stable_epochs) continue;
    parts.push_back(fmt::format("{} from epoch {} ({} s){}", converge_name(point),
                                short_text(point.stable_epochs->mean), short_text(point.stable_seconds->mean),
                                runs_of(point.stable_runs, point)));
  }
  if (parts.empty()) {
    return fmt::format("No accuracy stays within {} of its best: train for longer.", within);
  }
  return fmt::format("Accuracy is stable (within {} of its best, as means over runs): {}.", within,
                     fmt::join(parts, "; "));
}

std::string target_text(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  if (spec.target_accuracy <= 0) return "";
  std::vector<std::string> parts;
  for (const ConvergePoint& point : analysis.points) {
    if (!point.target_seconds) {
      parts.push_back(converge_name(point) + " never");
      continue;
    }
    parts.push_back(fmt::format("{} after {} s (epoch {}){}", converge_name(point),
                                short_text(point.target_seconds->mean), short_text(point.target_epochs->mean),
                                runs_of(point.target_runs, point)));
  }
  return fmt::format("The target of {} is reached: {}.", percent_text(spec.target_accuracy), fmt::join(parts, "; "));
}

// "Each doubling of the workers changes the final accuracy by -0.8 points (95 % interval -1.2 to -0.3): ..."
std::string trend_text(const std::optional<study::WorkerTrend>& trend, const std::string& what, const std::string& unit,
                       double scale) {
  if (!trend) return "";
  const double change = std::abs(trend->per_doubling.value) < 1e-9 ? 0 : trend->per_doubling.value * scale;
  const std::string text = fmt::format("Each doubling of the workers changes {} by {}{} {}", what,
                                       change > 0 ? "+" : "", short_text(change), unit);
  if (change == 0) return text + ": nothing to be seen.";
  if (!trend->per_doubling.interval_95) return text + "; " + trend->note + ".";
  return fmt::format("{} (95 % interval {}): {}.", text, interval_cell(trend->per_doubling, scale),
                     trend->is_significant() ? "a trend that the runs show" : "no trend that the runs could show");
}

}  // namespace

std::vector<std::string> converge_words(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  std::vector<std::string> words = {accuracy_text(analysis)};
  if (most_accurate(analysis) != nullptr) {
    words.push_back(stable_text(spec, analysis));
    words.push_back(target_text(spec, analysis));
  }
  words.push_back(trend_text(analysis.accuracy_trend, "the final accuracy", "points", 100));
  words.push_back(trend_text(analysis.stable_trend, "the epochs to stable accuracy", "epochs", 1));
  std::erase(words, "");
  return words;
}

}  // namespace convoy::report
