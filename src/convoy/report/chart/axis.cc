#include "convoy/report/chart/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"
#include "convoy/report/chart/number_label.h"

namespace convoy::report {
namespace {

bool is_logarithmic(AxisScale scale) { return scale == AxisScale::log2 || scale == AxisScale::log10; }

}  // namespace

bool is_drawable(double value, AxisScale scale) {
  // Larger values would overflow the width of an axis, and smaller ones the steps of a logarithmic one.
  constexpr double kLargest = 1e300;
  constexpr double kSmallest = 1e-300;
  return std::isfinite(value) && std::abs(value) <= kLargest && (!is_logarithmic(scale) || value >= kSmallest);
}

void Extent::include(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

Extent widened(Extent extent, AxisScale scale) {
  if (is_logarithmic(scale)) {
    const bool narrow = extent.high < extent.low * 1.0001;
    return narrow ? Extent{extent.low / 2, extent.high * 2} : extent;
  }
  const double magnitude = std::max(std::abs(extent.low), std::abs(extent.high));
  if (magnitude < 1e-290) return {extent.low < 0 ? -1.0 : 0.0, 1};
  if (extent.high - extent.low > magnitude * 1e-9) return extent;
  return {extent.low - magnitude * 0.1, extent.high + magnitude * 0.1};
}

Scale::Scale(AxisScale kind, double low, double high) : kind_(kind), low_(low), high_(high) {
  CONVOY_CHECK_LT(low, high);
  CONVOY_CHECK(!is_logarithmic(kind) || low > 0);
}

double Scale::fraction(double value) const {
  const double within = std::clamp(value, low_, high_);
  if (!is_logarithmic(kind_)) return (within - low_) / (high_ - low_);
  return (std::log(within) - std::log(low_)) / (std::log(high_) - std::log(low_));
}

namespace {

// A tolerance for rounding, for when a bound is itself a tick.
constexpr double kSlack = 1e-9;

std::vector<double> powers_in(double base, double low, double high, int max_count) {
  const double unit = std::log(base);
  const int first = static_cast<int>(std::ceil(std::log(low) / unit - kSlack));
  const int last = static_cast<int>(std::floor(std::log(high) / unit + kSlack));
  const int stride = std::max(1, (last - first + max_count) / max_count);
  std::vector<double> ticks;
  for (int exponent = first; exponent <= last; exponent += stride) ticks.push_back(std::pow(base, exponent));
  return ticks;
}

std::vector<double> one_two_five_in(double low, double high) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  for (int decade = first; decade <= last; ++decade) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, decade);
      if (tick >= low * (1 - kSlack) && tick <= high * (1 + kSlack)) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace

double nice_step(double range, int max_count) {
  const double least = range / max_count;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - kSlack)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> multiples_in(double low, double high, double step) {
  std::vector<double> ticks;
  const double last = std::floor(high / step + kSlack);
  for (double i = std::ceil(low / step - kSlack); i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> log_ticks(double base, double low, double high, int max_count) {
  std::vector<double> ticks = powers_in(base, low, high, max_count);
  if (ticks.size() < 3) {
    const std::vector<double> finer = one_two_five_in(low, high);
    if (finer.size() > ticks.size() && (base == 10 || ticks.size() < 2)) ticks = finer;
  }
  return ticks.size() < 2 ? multiples_in(low, high, nice_step(high - low, max_count)) : ticks;
}

namespace {

std::vector<Tick> labelled(const std::vector<double>& values, double resolution) {
  const std::vector<std::string> labels = number_labels(values, resolution);
  std::vector<Tick> ticks;
  ticks.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) ticks.push_back({values[i], labels[i]});
  return ticks;
}

AxisPlan categorical(const std::vector<std::string>& names) {
  AxisPlan plan{.scale = Scale(AxisScale::categorical, -0.5, static_cast<double>(names.size()) - 0.5)};
  for (const std::string& name : names) plan.ticks.push_back({static_cast<double>(plan.ticks.size()), name});
  return plan;
}

AxisPlan logarithmic(AxisScale kind, Extent extent, int max_ticks) {
  extent = widened(extent, kind);
  AxisPlan plan{.scale = Scale(kind, extent.low, extent.high)};
  for (const double value : log_ticks(kind == AxisScale::log2 ? 2 : 10, extent.low, extent.high, max_ticks)) {
    plan.ticks.push_back({value, number_label(value)});
  }
  return plan;
}

AxisPlan linear(const Axis& axis, const AxisNeeds& needs) {
  Extent extent = needs.values;
  if (axis.from_zero) extent.include(0);
  extent = widened(extent, AxisScale::linear);
  double step = nice_step(extent.high - extent.low, needs.max_ticks);
  if (needs.whole_numbers) step = std::max(step, 1.0);
  if (needs.round_ends) {
    // A bound that is a tick apart from rounding stays one.
    extent.low = std::floor(extent.low / step + 1e-9) * step;
    extent.high = std::ceil(extent.high / step - 1e-9) * step;
  }
  return {.scale = Scale(AxisScale::linear, extent.low, extent.high),
          .ticks = labelled(multiples_in(extent.low, extent.high, step), step)};
}

}  // namespace

AxisPlan plan_axis(const Axis& axis, const AxisNeeds& needs) {
  if (axis.scale == AxisScale::categorical) {
    CONVOY_CHECK(!axis.categories.empty());
    return categorical(axis.categories);
  }
  CONVOY_CHECK(!needs.values.empty());
  return axis.scale == AxisScale::linear ? linear(axis, needs) : logarithmic(axis.scale, needs.values, needs.max_ticks);
}

bool is_on_axis(double value, const Axis& axis) {
  if (!is_drawable(value, axis.scale)) return false;
  const auto count = static_cast<double>(axis.categories.size());
  return axis.scale != AxisScale::categorical || (value >= 0 && value < count && std::floor(value) == value);
}

namespace {

std::string sentence(std::size_t count, const char* one, const char* many) {
  return count == 1 ? fmt::format("1 value is left out: {}.", one)
                    : fmt::format("{} values are left out: {}.", count, many);
}

}  // namespace

void Omitted::count(double value) { ++(is_drawable(value, AxisScale::linear) ? off_scale : not_numbers); }

std::vector<std::string> Omitted::notes() const {
  std::vector<std::string> notes;
  if (not_numbers > 0)
    notes.push_back(sentence(not_numbers, "it is not a finite number", "they are not finite numbers"));
  if (off_scale > 0)
    notes.push_back(sentence(off_scale, "it has no place on the axis", "they have no place on the axis"));
  if (cut > 0) notes.emplace_back("Intervals that are far wider than the values are cut at the edge.");
  return notes;
}

void include_ends(Extent& values, std::span<const double> ends, AxisScale scale, Omitted& omitted) {
  constexpr double kFactor = 10;  // how far ends may extend a logarithmic axis
  if (values.empty()) return;
  const double reach = std::max(std::abs(values.low), std::abs(values.high));
  const Extent room = is_logarithmic(scale) ? Extent{.low = values.low / kFactor, .high = values.high * kFactor}
                                            : Extent{.low = values.low - reach, .high = values.high + reach};
  for (const double end : ends) {
    if (!is_drawable(end, scale)) continue;
    if (end < room.low || end > room.high) ++omitted.cut;
    values.include(std::clamp(end, room.low, room.high));
  }
}

}  // namespace convoy::report
