#include "convoy/report/chart/ticks.h"

#include <algorithm>
#include <cmath>

namespace convoy::report {
namespace {

// What rounding may cost when a bound is itself a tick.
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

}  // namespace convoy::report
