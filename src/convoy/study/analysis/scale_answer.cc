#include "convoy/study/analysis/scale_answer.h"

#include <algorithm>
#include <map>
#include <utility>

namespace convoy::study {
namespace {

using AllSeries = std::vector<ScaleSeries>;

// The trusted point with the greatest value; no value when none has one.
template <typename Get>
std::optional<ScalePlace> greatest_of(const AllSeries& all, Get get) {
  std::optional<ScalePlace> best;
  double most = 0;
  for (std::size_t s = 0; s < all.size(); ++s) {
    for (std::size_t p = 0; p < all[s].points.size(); ++p) {
      if (!all[s].points[p].is_trusted()) continue;
      const std::optional<double> value = get(all[s], all[s].points[p]);
      if (!value || (best && *value <= most)) continue;
      best = ScalePlace{s, p};
      most = *value;
    }
  }
  return best;
}

std::optional<double> throughput_at(const ScaleSeries& /*series*/, const ScalePoint& point) {
  return point.statistics.throughput->mean;
}

std::optional<double> efficiency_beyond_base(const ScaleSeries& series, const ScalePoint& point) {
  return point.size == series.base_size ? std::nullopt : point.efficiency;
}

std::vector<SeriesLeader> leaders_of(const AllSeries& all) {
  std::vector<std::pair<Point, SeriesLeader>> leaders;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Point rest = all[i].values;
    rest.erase("allreduce");
    const auto found = std::ranges::find(leaders, rest, &std::pair<Point, SeriesLeader>::first);
    if (found == leaders.end()) {
      leaders.emplace_back(std::move(rest), SeriesLeader{.series = i});
      continue;
    }
    SeriesLeader& leader = found->second;
    const double best = all[leader.series].best_beyond_base();
    // A series without a point that can be trusted is no rival.
    if (best > 0 && all[i].best_beyond_base() > 0) ++leader.rivals;
    if (all[i].best_beyond_base() > best) leader.series = i;
  }
  std::vector<SeriesLeader> result;
  for (const auto& [rest, leader] : leaders) result.push_back(leader);
  return result;
}

// The weak series that has the same settings as a strong one otherwise.
std::optional<std::size_t> weak_twin(const AllSeries& all, const ScaleSeries& strong) {
  Point wanted = strong.values;
  wanted["scaling"] = "weak";
  const auto found = std::ranges::find(all, wanted, &ScaleSeries::values);
  if (strong.is_weak || found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

std::optional<WeakAgainstStrong> compare_scaling(const AllSeries& all, std::size_t strong, std::size_t weak) {
  if (all[strong].base_is_disturbed || all[weak].base_is_disturbed) return std::nullopt;
  const auto place = [&](std::size_t series, const ScalePoint* point) {
    return ScalePlace{series, static_cast<std::size_t>(point - all[series].points.data())};
  };
  std::vector<const ScalePoint*> points = all[strong].trusted_beyond_base();
  std::ranges::reverse(points);
  for (const ScalePoint* const point : points) {
    const ScalePoint* const twin = all[weak].trusted_at(point->size);
    if (twin != nullptr) return WeakAgainstStrong{.weak = place(weak, twin), .strong = place(strong, point)};
  }
  return std::nullopt;
}

}  // namespace

ScaleAnswer answer_scaling(const AllSeries& all) {
  ScaleAnswer answer{.fastest = greatest_of(all, throughput_at),
                     .most_efficient = greatest_of(all, efficiency_beyond_base),
                     .best_series = {},
                     .leaders = leaders_of(all),
                     .weak_against_strong = {}};
  if (!all.empty()) {
    const auto best = std::ranges::max_element(all, {}, &ScaleSeries::best_beyond_base);
    answer.best_series = static_cast<std::size_t>(best - all.begin());
  }
  for (const SeriesLeader& leader : answer.leaders) {
    const std::optional<std::size_t> weak = weak_twin(all, all[leader.series]);
    if (!weak) continue;
    if (auto both = compare_scaling(all, leader.series, *weak)) answer.weak_against_strong.push_back(*both);
  }
  return answer;
}

namespace {

constexpr const char* kAllReduceKey = "allreduce";

std::string without_all_reduce(const ScaleSeries& series, const std::string& all_reduce) {
  std::string name = series.name;
  const auto place = name.find(all_reduce);
  if (place == std::string::npos) return name;
  name.erase(place, all_reduce.size());
  // The kind is removed from names like "weak, ring" and "ring, weak"; what is left may begin or end with a comma.
  if (name.ends_with(", ")) name.resize(name.size() - 2);
  if (name.starts_with(", ")) name.erase(0, 2);
  if (const auto twice = name.find(", , "); twice != std::string::npos) name.erase(twice, 2);
  return name;
}

void rank_all_reduces(AllReduceChoice& choice) {
  std::ranges::stable_sort(choice.measured, std::ranges::greater(),
                           [](const MeasuredAllReduce& each) { return each.throughput.mean; });
  choice.lead = mean_difference(choice.measured[0].throughput, choice.measured[1].throughput);
  const auto automatic = std::ranges::find(choice.measured, "auto", &MeasuredAllReduce::name);
  if (automatic == choice.measured.end()) return;
  const MeasuredAllReduce& rival = choice.measured[automatic == choice.measured.begin() ? 1 : 0];
  choice.automatic = AutoComparison{.rival = rival.name,
                                    .lead = mean_difference(automatic->throughput, rival.throughput),
                                    .rival_throughput = rival.throughput.mean,
                                    .is_repeated = automatic->throughput.count > 1 && rival.throughput.count > 1};
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
      // The base has one worker and nothing to sum; disturbed points measure neither algorithm fairly.
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
