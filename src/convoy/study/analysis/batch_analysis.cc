#include "convoy/study/analysis/batch_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "convoy/base/check.h"
#include "convoy/base/number_text.h"

namespace convoy::study {
namespace {

constexpr double kNoisy = 0.10;  // with a CV beyond this, single differences mean little

std::string rate_text(const Summary& throughput) {
  const std::string mean = significant_text(throughput.mean);
  if (!throughput.has_interval()) return fmt::format("{} samples/s", mean);
  return fmt::format("{} samples/s ({} to {})", mean, significant_text(throughput.low_95),
                     significant_text(throughput.high_95));
}

std::string choice_text(const BatchThroughput& chosen, const BatchThroughput& fastest, double tolerance) {
  if (chosen.batch == fastest.batch) {
    return fmt::format("Batch {} is the fastest with {}; no smaller one is within {:.0f} % of it.", chosen.batch,
                       rate_text(chosen.throughput), 100 * tolerance);
  }
  return fmt::format("Batch {} with {} is the smallest within {:.0f} % of the fastest, batch {} with {}.", chosen.batch,
                     rate_text(chosen.throughput), 100 * tolerance, fastest.batch, rate_text(fastest.throughput));
}

// The batches that leave it open whether the chosen one is the right one: smaller ones that may be fast enough, and
// others that may be so fast that the chosen one is not.
std::vector<std::int64_t> undecided(std::span<const BatchThroughput> sorted, const BatchThroughput& chosen,
                                    double tolerance) {
  const auto low_of = [](const BatchThroughput& seen) { return seen.throughput.low_95; };
  const double surely_reached = std::ranges::max(sorted, {}, low_of).throughput.low_95;
  std::vector<std::int64_t> batches;
  for (const BatchThroughput& seen : sorted) {
    const double most = seen.throughput.high_95;
    const bool may_be_enough = seen.batch < chosen.batch && most >= (1 - tolerance) * surely_reached;
    const bool may_be_far_ahead = seen.batch > chosen.batch && (1 - tolerance) * most > chosen.throughput.low_95;
    if (may_be_enough || may_be_far_ahead) batches.push_back(seen.batch);
  }
  return batches;
}

std::string doubt_text(std::span<const BatchThroughput> sorted, const std::vector<std::int64_t>& undecided_batches) {
  const auto is_single = [](const BatchThroughput& seen) { return !seen.throughput.has_interval(); };
  if (std::ranges::all_of(sorted, is_single)) {
    return " Each was measured once, so there are no intervals: repeat to be sure.";
  }
  std::string text;
  if (std::ranges::any_of(sorted, is_single)) text += " Some were measured once, which gives no interval.";
  if (!undecided_batches.empty()) {
    text += fmt::format(" The intervals do not decide it for batch {}.", fmt::join(undecided_batches, ", "));
  }
  const auto noisiest = std::ranges::max_element(sorted, {}, [](const auto& seen) { return seen.throughput.cv; });
  if (noisiest->throughput.cv > kNoisy) {
    text += fmt::format(" Measurements are noisy: the CV at batch {} is {:.0f} %.", noisiest->batch,
                        100 * noisiest->throughput.cv);
  }
  return text;
}

}  // namespace

std::optional<BatchAdvice> advise_batch(std::span<const BatchThroughput> batches, double tolerance) {
  if (batches.empty()) return std::nullopt;
  CONVOY_CHECK(tolerance >= 0 && tolerance < 1);
  std::vector<BatchThroughput> sorted(batches.begin(), batches.end());
  std::ranges::sort(sorted, {}, &BatchThroughput::batch);
  const auto mean_of = [](const BatchThroughput& seen) { return seen.throughput.mean; };
  const BatchThroughput& fastest = *std::ranges::max_element(sorted, {}, mean_of);
  const double limit = (1 - tolerance) * fastest.throughput.mean;
  const BatchThroughput& chosen =
      *std::ranges::find_if(sorted, [&](const auto& seen) { return seen.throughput.mean >= limit; });

  const auto open = undecided(sorted, chosen, tolerance);
  const bool is_known = std::ranges::all_of(sorted, [](const auto& seen) { return seen.throughput.has_interval(); });
  return BatchAdvice{.batch = chosen.batch,
                     .fastest = fastest.batch,
                     .certain = is_known && open.empty(),
                     .why = choice_text(chosen, fastest, tolerance) + doubt_text(sorted, open)};
}

namespace {

std::optional<BatchAdvice> advice_for(const std::vector<BatchPoint>& points) {
  std::vector<BatchThroughput> measured;
  for (const BatchPoint& point : points) {
    if (point.statistics.throughput && !point.statistics.rests_on_disturbed)
      measured.push_back({point.batch, *point.statistics.throughput});
  }
  return advise_batch(measured);
}

}  // namespace

BatchAnalysis analyse_batches(const StudyResults& results) {
  std::vector<std::pair<Point, BatchSeries>> found;
  for (const PointResult& result : results.points) {
    Point rest = result.point;
    rest.erase("batch");
    auto place = std::ranges::find(found, rest, &std::pair<Point, BatchSeries>::first);
    if (place == found.end()) place = found.insert(found.end(), {rest, BatchSeries{.name = point_text(rest)}});
    place->second.points.push_back({.point = result.point,
                                    .batch = number_at(results.spec, result.point, "batch", 0),
                                    .oversubscribed = result.oversubscribed,
                                    .statistics = statistics_of(results, result)});
  }
  BatchAnalysis analysis;
  for (auto& [rest, series] : found) {
    if (found.size() == 1) series.name.clear();
    std::ranges::stable_sort(series.points, {}, &BatchPoint::batch);
    series.advice = advice_for(series.points);
    analysis.series.push_back(std::move(series));
  }
  return analysis;
}

}  // namespace convoy::study
