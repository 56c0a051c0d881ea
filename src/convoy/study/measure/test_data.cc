#include "convoy/study/measure/test_data.h"

#include <algorithm>
#include <cmath>

namespace convoy::study {
namespace {

constexpr double kNormal95 = 1.96;

// Of a share of so many samples.
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

}  // namespace convoy::study
