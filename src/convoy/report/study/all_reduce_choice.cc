#include "convoy/report/study/all_reduce_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

constexpr const char* kKey = "allreduce";

std::string without_all_reduce(const study::ScaleSeries& series, const std::string& all_reduce) {
  std::string name = series.name;
  const auto place = name.find(all_reduce);
  if (place == std::string::npos) return name;
  name.erase(place, all_reduce.size());
  // What is left of "weak, ring" or "ring, weak".
  if (name.ends_with(", ")) name.resize(name.size() - 2);
  if (name.starts_with(", ")) name.erase(0, 2);
  if (const auto twice = name.find(", , "); twice != std::string::npos) name.erase(twice, 2);
  return name;
}

void finish(AllReduceChoice& choice) {
  std::ranges::stable_sort(choice.measured, std::ranges::greater(),
                           [](const MeasuredAllReduce& each) { return each.throughput.mean; });
  choice.lead = mean_difference(choice.measured[0].throughput, choice.measured[1].throughput);
}

}  // namespace

std::vector<AllReduceChoice> all_reduce_choices(const study::ScaleAnalysis& analysis) {
  std::map<std::pair<std::string, std::int64_t>, AllReduceChoice> choices;
  for (const study::ScaleSeries& series : analysis.series) {
    const auto all_reduce = series.values.find(kKey);
    if (all_reduce == series.values.end()) continue;
    const std::string rest = without_all_reduce(series, all_reduce->second);
    for (const study::ScalePoint& point : series.points) {
      // The base has one worker and nothing to sum; what was disturbed is no measure of either.
      if (!point.statistics.throughput || point.is_disturbed() || !point.point.contains(kKey)) continue;
      AllReduceChoice& choice = choices[{rest, point.size}];
      choice.circumstances = rest;
      choice.size = point.size;
      choice.oversubscribed = point.oversubscribed;
      choice.measured.push_back({all_reduce->second, *point.statistics.throughput});
    }
  }
  std::vector<AllReduceChoice> result;
  for (auto& [key, choice] : choices) {
    if (choice.measured.size() < 2) continue;
    finish(choice);
    result.push_back(std::move(choice));
  }
  return result;
}

std::string choice_text(const AllReduceChoice& choice, const std::string& size_key) {
  const MeasuredAllReduce& first = choice.measured[0];
  const MeasuredAllReduce& second = choice.measured[1];
  const std::string place = count_text(choice.size, size_key) +
                            (choice.circumstances.empty() ? "" : fmt::format(" ({})", choice.circumstances)) +
                            (choice.oversubscribed ? ", oversubscribed," : "");
  if (std::abs(choice.lead.value) < 0.0005 * second.throughput.mean) {
    return fmt::format("With {} the all-reduces `{}` and `{}` are equally fast.", place, first.name, second.name);
  }
  std::string text = fmt::format("With {} the fastest all-reduce is `{}`, {} ahead of `{}`", place, first.name,
                                 percent_text(first.throughput.mean / second.throughput.mean - 1), second.name);
  if (!std::isfinite(choice.lead.half_width_95)) {
    return text + "; at least one of them was measured only once, so whether that is more than chance is not known.";
  }
  const double half = choice.lead.half_width_95 / second.throughput.mean;
  const double lead = choice.lead.value / second.throughput.mean;
  const bool real = choice.lead.is_significant();
  return fmt::format(
      "{} (95 % interval {} to {}): {}.", text, percent_text(lead - half), percent_text(lead + half),
      real ? "more than the spread of the runs" : "not more than the spread of the runs, so take either");
}

}  // namespace convoy::report
