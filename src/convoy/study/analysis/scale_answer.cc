#include "convoy/study/analysis/scale_answer.h"

#include <algorithm>
#include <utility>

namespace convoy::study {
namespace {

using AllSeries = std::vector<ScaleSeries>;

// The trusted point with the greatest value; nothing when none has one.
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
    ++leader.rivals;
    if (all[i].best_beyond_base() > all[leader.series].best_beyond_base()) leader.series = i;
  }
  std::vector<SeriesLeader> result;
  for (const auto& [rest, leader] : leaders) result.push_back(leader);
  return result;
}

// The series that differs from a strong one in the kind of scaling alone.
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

}  // namespace convoy::study
