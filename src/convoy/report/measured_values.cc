#include "convoy/report/measured_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/number_text.h"

namespace convoy::report {
namespace {

constexpr const char* kUnknown = "-";

std::string range_text(double low, double high) {
  // An infinite end means that the data allow any value.
  if (!std::isfinite(high)) return fmt::format("{} or more", significant_text(low));
  return fmt::format("{} to {}", significant_text(low), significant_text(high));
}

}  // namespace

bool has_spread(const MaybeSummary& summary) { return summary && summary->count > 1; }

std::string number_cell(std::optional<double> value, int digits) {
  return value ? significant_text(*value, digits) : kUnknown;
}

std::string rate_cell(std::optional<double> rate) { return rate ? fmt::format("{:.4g}", *rate) : "-"; }

std::string percent_cell(std::optional<double> share) {
  if (!share || !std::isfinite(*share)) return kUnknown;
  const std::string text = percent_text(*share);
  return text.substr(0, text.size() - 2);
}

std::string mean_cell(const MaybeSummary& summary, double scale) {
  return summary ? significant_text(summary->mean * scale) : kUnknown;
}

std::string median_cell(const MaybeSummary& summary, double scale) {
  return summary ? significant_text(summary->median * scale) : kUnknown;
}

std::string deviation_cell(const MaybeSummary& summary, double scale) {
  return has_spread(summary) ? significant_text(summary->standard_deviation * scale) : kUnknown;
}

std::string cv_cell(const MaybeSummary& summary) {
  return has_spread(summary) ? percent_cell(summary->cv) : std::string(kUnknown);
}

std::string interval_cell(const MaybeSummary& summary, double scale, double most) {
  if (!summary || !summary->has_interval()) return kUnknown;
  return range_text(summary->low_95 * scale, std::min(summary->high_95 * scale, most));
}

std::string basis_cell(const MaybeSummary& summary) {
  if (!summary || !summary->has_interval()) return kUnknown;
  const bool is_own = summary->interval_from == IntervalBasis::values;
  return fmt::format("{} ({:.0f})", is_own ? "own" : to_text(summary->interval_from), summary->interval_freedom);
}

std::string interval_cell(const study::Estimate& estimate, double scale) {
  if (!estimate.interval_95) return kUnknown;
  return range_text(estimate.interval_95->low * scale, estimate.interval_95->high * scale);
}

Point summary_point(double x, const Summary& summary, const MarkStyle& style) {
  Point point{.x = x, .y = summary.mean * style.scale, .low = {}, .high = {}, .hollow = style.hollow};
  if (summary.has_interval()) {
    point.low = std::max(summary.low_95 * style.scale, 0.0);
    point.high = std::min(summary.high_95 * style.scale, style.most);
  }
  return point;
}

Bar summary_bar(const Summary& summary, const MarkStyle& style) {
  const Point point = summary_point(0, summary, style);
  return {.value = point.y, .low = point.low, .high = point.high, .hollow = style.hollow};
}

}  // namespace convoy::report
