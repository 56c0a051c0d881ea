#include "convoy/study/measure/accuracy_lead.h"

#include <algorithm>

#include "convoy/base/statistics.h"
#include "convoy/study/measure/difference.h"

namespace convoy::study {
namespace {

bool ties(const PointAccuracy& best, const PointAccuracy& other) {
  const double between = mean(best.runs) - mean(other.runs);
  // Fewer than one sample of each.
  const double finest = best.test_data ? 1 / static_cast<double>(best.test_data->samples) : 0;
  if (between < finest || between == 0) return true;
  if (const auto interval = difference_95(best.runs, other.runs)) return interval->low <= 0;
  return best.test_data && between <= accuracy_margin(*best.test_data, mean(best.runs), mean(other.runs));
}

}  // namespace

std::optional<AccuracyLead> lead_by_accuracy(std::span<const PointAccuracy> points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].runs.empty()) order.push_back(i);
  }
  if (order.empty()) return std::nullopt;
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return mean(points[i].runs); });
  AccuracyLead lead{.best = order.front(), .ties = {}};
  const PointAccuracy& best = points[lead.best];
  for (const std::size_t i : std::span(order).subspan(1)) {
    if (ties(best, points[i])) lead.ties.push_back(i);
  }
  lead.at_chance = best.test_data && mean(best.runs) <= chance_limit(*best.test_data);
  return lead;
}

}  // namespace convoy::study
