#include "convoy/study/analysis/worker_trend.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "convoy/base/check.h"
#include "convoy/base/least_squares.h"
#include "convoy/base/statistics.h"

namespace convoy::study {

namespace {

constexpr std::int64_t kSpareForInterval = 2;

}  // namespace

bool WorkerTrend::is_significant() const {
  const auto& interval = per_doubling.interval_95;
  return interval && (interval->low > 0 || interval->high < 0);
}

std::optional<WorkerTrend> worker_trend(std::span<const WorkersValue> values) {
  std::vector<std::vector<double>> columns(2);
  std::vector<double> heights;
  for (const WorkersValue& value : values) {
    CONVOY_CHECK(value.workers >= 1);
    CONVOY_CHECK(std::isfinite(value.value));
    columns[0].push_back(1);
    columns[1].push_back(std::log2(static_cast<double>(value.workers)));
    heights.push_back(value.value);
  }
  const auto line = fit_linear(columns, heights);
  if (!line) return std::nullopt;

  WorkerTrend trend;
  trend.at_one_worker = line->coefficients[0];
  trend.per_doubling.value = line->coefficients[1];
  trend.observations = std::ssize(values);
  if (line->spare < kSpareForInterval) {
    trend.note = fmt::format("no interval: {} observations, at least {} are needed", values.size(),
                             columns.size() + static_cast<std::size_t>(kSpareForInterval));
    return trend;
  }
  const double half = t_value(0.95, static_cast<double>(line->spare)) * std::sqrt(line->covariance(1, 1));
  trend.per_doubling.interval_95 = Interval{trend.per_doubling.value - half, trend.per_doubling.value + half};
  return trend;
}

}  // namespace convoy::study
