#include "convoy/study/analysis/all_reduce_choice.h"

#include <algorithm>
#include <map>
#include <utility>

namespace convoy::study {
namespace {

constexpr const char* kAllReduceKey = "allreduce";

std::string without_all_reduce(const ScaleSeries& series, const std::string& all_reduce) {
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

void rank_all_reduces(AllReduceChoice& choice) {
  std::ranges::stable_sort(choice.measured, std::ranges::greater(),
                           [](const MeasuredAllReduce& each) { return each.throughput.mean; });
  choice.lead = mean_difference(choice.measured[0].throughput, choice.measured[1].throughput);
}

}  // namespace

bool AllReduceChoice::is_repeated() const {
  return measured[0].throughput.count > 1 && measured[1].throughput.count > 1;
}

std::vector<AllReduceChoice> all_reduce_choices(const std::vector<ScaleSeries>& all) {
  std::map<std::pair<std::string, std::int64_t>, AllReduceChoice> choices;
  for (const ScaleSeries& series : all) {
    const auto all_reduce = series.values.find(kAllReduceKey);
    if (all_reduce == series.values.end()) continue;
    const std::string rest = without_all_reduce(series, all_reduce->second);
    for (const ScalePoint& point : series.points) {
      // The base has one worker and nothing to sum; what was disturbed is no measure of either.
      if (!point.statistics.throughput || point.is_disturbed() || !point.point.contains(kAllReduceKey)) continue;
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
    rank_all_reduces(choice);
    result.push_back(std::move(choice));
  }
  return result;
}

}  // namespace convoy::study
