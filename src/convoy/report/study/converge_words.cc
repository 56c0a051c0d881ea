#include "convoy/report/study/converge_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "convoy/base/number_text.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::ConvergeAnalysis;
using study::ConvergePoint;

// "in the end" or, if runs of different lengths are compared, "at epoch N"
std::string when_text(const ConvergeAnalysis& analysis) {
  return analysis.common_epoch ? fmt::format("at epoch {}", *analysis.common_epoch) : "in the end";
}

std::string spread_text(const ConvergePoint& best) {
  if (!has_spread(best.final_accuracy)) return " in a single run, which says nothing about its spread";
  return fmt::format(" (95 % interval {} %, {})", interval_cell(best.final_accuracy, 100, 100),
                     count_text(best.final_accuracy->count, "runs"));
}

std::string chance_text(const ConvergePoint& best, const std::string& when) {
  const study::TestData& data = *best.accuracies.test_data;
  return fmt::format(
      "No point learned to tell the classes: the highest accuracy {}, {} of {}, may be chance, which is {} here and "
      "with {} reaches {} by luck.",
      when, percent_text(best.final_accuracy->mean), converge_name(best), percent_text(data.chance),
      count_text(data.samples, "test samples"), percent_text(chance_limit(data)));
}

std::string tie_text(const ConvergeAnalysis& analysis, const ConvergePoint& best, const std::string& when) {
  std::vector<std::string> names;
  for (const std::size_t index : analysis.lead->ties) {
    const ConvergePoint& point = analysis.points[index];
    names.push_back(fmt::format("{} ({})", converge_name(point), percent_text(point.final_accuracy->mean)));
  }
  return fmt::format("A tie: the highest accuracy {} is that of {}, {}{}, but the {} not tell it from {}.", when,
                     converge_name(best), percent_text(best.final_accuracy->mean), spread_text(best),
                     has_spread(best.final_accuracy) ? "runs do" : "test data does", fmt::join(names, ", "));
}

std::string accuracy_text(const ConvergeAnalysis& analysis) {
  if (!analysis.lead) return "No run was evaluated, so nothing can be said about accuracy.";
  const ConvergePoint& best = analysis.points[analysis.lead->best];
  const std::string when = when_text(analysis);
  if (analysis.lead->at_chance) return chance_text(best, when);
  if (!analysis.lead->ties.empty()) return tie_text(analysis, best, when);
  return fmt::format("The most accurate {} is {}: {}{}.", when, converge_name(best),
                     percent_text(best.final_accuracy->mean), spread_text(best));
}

std::string length_text(const ConvergeAnalysis& analysis) {
  if (!analysis.common_epoch) return "";
  return fmt::format(
      "Runs were evaluated up to different epochs. Accuracies, stability and trends are compared up to epoch {}, the "
      "last one that all have reached; figures show all.",
      *analysis.common_epoch);
}

std::string runs_of(std::int64_t some, const ConvergePoint& point) {
  if (some == point.statistics.runs) return point.statistics.runs == 1 ? "" : " in all runs";
  return fmt::format(" in {} of {}", some, count_text(point.statistics.runs, "runs"));
}

// "23.4 s", or "23.4 s, a doubtful time" if others used the cores or there were too few
std::string seconds_text(const std::optional<Summary>& seconds, const ConvergePoint& point) {
  if (!seconds) return "time unknown";
  return short_text(seconds->mean) + (point.has_doubtful_times() ? " s, a doubtful time" : " s");
}

// Explains the doubt once for all times of the sentence before; empty if there is none.
std::string doubt_text(bool any_doubtful) {
  return any_doubtful ? " Times are doubtful where others used the cores, or there were fewer cores than threads." : "";
}

std::string stable_text(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  const std::string within = short_text(spec.stable_within * 100) + (spec.stable_within == 0.01 ? " point" : " points");
  std::vector<std::string> parts;
  bool any_doubtful = false;
  for (const ConvergePoint& point : analysis.points) {
    if (!point.stable_epochs) continue;
    any_doubtful |= point.has_doubtful_times();
    parts.push_back(fmt::format("{} from epoch {} ({}){}", converge_name(point), short_text(point.stable_epochs->mean),
                                seconds_text(point.stable_seconds, point), runs_of(point.stable_runs, point)));
  }
  if (parts.empty()) {
    return fmt::format(
        "No accuracy is stable: none stays within {} of its best, above chance, for its last {} evaluations or more; "
        "train for longer.",
        within, study::kStableEvaluations);
  }
  return fmt::format(
      "Accuracy is stable (within {} of its best for at least {} evaluations to the end, as means over runs): {}.{}",
      within, study::kStableEvaluations, fmt::join(parts, "; "), doubt_text(any_doubtful));
}

std::string target_text(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  if (spec.target_accuracy <= 0) return "";
  std::vector<std::string> parts;
  bool any_doubtful = false;
  for (const ConvergePoint& point : analysis.points) {
    if (!point.target_epochs) {
      parts.push_back(converge_name(point) + " never");
      continue;
    }
    any_doubtful |= point.has_doubtful_times();
    parts.push_back(fmt::format("{} after {} (epoch {}){}", converge_name(point),
                                seconds_text(point.target_seconds, point), short_text(point.target_epochs->mean),
                                runs_of(point.target_runs, point)));
  }
  return fmt::format("The target of {} is reached: {}.{}", percent_text(spec.target_accuracy), fmt::join(parts, "; "),
                     doubt_text(any_doubtful));
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

// Empty unless evaluations allow a verdict.
std::string overfitting_text(const ConvergeAnalysis& analysis) {
  std::vector<std::string> parts;
  std::int64_t judged = 0;
  for (const ConvergePoint& point : analysis.points) {
    judged += point.judged_runs;
    if (point.overfitted_runs == 0) continue;
    parts.push_back(fmt::format("{} in {} of {} ({})", converge_name(point), point.overfitted_runs,
                                count_text(point.judged_runs, "runs"), point.overfitting_why));
  }
  if (judged == 0) return "";
  if (parts.empty()) return "No run shows overfitting in these epochs.";
  return fmt::format("Overfitting is seen: {}.", fmt::join(parts, "; "));
}

}  // namespace

std::string accuracy_doubt(const study::AccuracyLead& lead) {
  if (lead.at_chance) return "; may be chance";
  return lead.ties.empty() ? "" : fmt::format("; a tie with {} more", lead.ties.size());
}

std::vector<std::string> converge_words(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  std::vector<std::string> words = {accuracy_text(analysis)};
  words.push_back(length_text(analysis));
  if (analysis.lead) {
    words.push_back(stable_text(spec, analysis));
    words.push_back(target_text(spec, analysis));
  }
  words.push_back(overfitting_text(analysis));
  words.push_back(trend_text(analysis.accuracy_trend,
                             analysis.common_epoch ? "the accuracy " + when_text(analysis) : "the final accuracy",
                             "points", 100));
  words.push_back(trend_text(analysis.stable_trend, "the epochs to stable accuracy", "epochs", 1));
  std::erase(words, "");
  return words;
}

}  // namespace convoy::report
