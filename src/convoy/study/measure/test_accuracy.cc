#include "convoy/study/measure/test_accuracy.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/statistics.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::study {
namespace {

constexpr double kNormal95 = 1.96;

// The variance of a share that was measured on so many samples.
double variance(double share, const TestData& data) { return share * (1 - share) / static_cast<double>(data.samples); }

}  // namespace

std::optional<TestData> test_data_of(const RunSummary& summary) {
  if (!summary.confusion) return std::nullopt;
  std::int64_t most = 0;
  TestData data;
  for (const std::vector<std::int64_t>& row : *summary.confusion) {
    std::int64_t of_class = 0;
    for (const std::int64_t count : row) of_class += std::max<std::int64_t>(count, 0);
    data.samples += of_class;
    most = std::max(most, of_class);
  }
  if (data.samples == 0) return std::nullopt;
  data.chance = static_cast<double>(most) / static_cast<double>(data.samples);
  return data;
}

double chance_limit(const TestData& data) {
  return std::min(1.0, data.chance + kNormal95 * std::sqrt(variance(data.chance, data)));
}

double accuracy_margin(const TestData& data, double one, double other) {
  return kNormal95 * std::sqrt(variance(one, data) + variance(other, data));
}

namespace {

bool ties(const PointAccuracy& best, const PointAccuracy& other) {
  const double between = mean(best.runs) - mean(other.runs);
  // The difference is less than one sample.
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
