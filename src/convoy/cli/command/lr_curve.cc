#include "convoy/cli/command/lr_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "convoy/report/figure.h"

namespace convoy::cli {
namespace {

// Maps points to a frame of width x height with the origin at its top left.
class Axes {
 public:
  Axes(std::span<const LrRangePoint> points, double width, double height) : width_(width), height_(height) {
    low_ = high_ = points.front().smoothed;
    for (const LrRangePoint& point : points) {
      low_ = std::min(low_, point.smoothed);
      // At the last point the loss may have exploded; it must not flatten all others.
      if (point.smoothed < 2 * points.front().smoothed) high_ = std::max(high_, point.smoothed);
    }
    first_ = std::log10(points.front().rate);
    last_ = std::max(std::log10(points.back().rate), first_ + 1e-9);
    if (high_ <= low_) high_ = low_ + 1;
  }

  [[nodiscard]] double x(double rate) const {
    return std::clamp((std::log10(rate) - first_) / (last_ - first_), 0.0, 1.0) * width_;
  }
  [[nodiscard]] double y(double loss) const { return std::clamp((high_ - loss) / (high_ - low_), 0.0, 1.0) * height_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] int first_decade() const { return static_cast<int>(std::ceil(first_ - 1e-9)); }
  [[nodiscard]] int last_decade() const { return static_cast<int>(std::floor(last_ + 1e-9)); }

 private:
  double width_, height_;
  double low_, high_, first_, last_;
};

bool is_drawn(const LrRangePoint& point) { return std::isfinite(point.smoothed); }

std::vector<LrRangePoint> drawable(std::span<const LrRangePoint> points) {
  std::vector<LrRangePoint> kept;
  std::ranges::copy_if(points, std::back_inserter(kept), is_drawn);
  return kept;
}

void add_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

// The smoothed loss at a rate: that of the first drawn point at or beyond it.
double loss_at(const std::vector<LrRangePoint>& drawn, double rate) {
  const auto after = std::ranges::find_if(drawn, [&](const LrRangePoint& point) { return point.rate >= rate; });
  return after == drawn.end() ? drawn.back().smoothed : after->smoothed;
}

}  // namespace

std::string lr_curve_text(std::span<const LrRangePoint> points, std::optional<double> suggestion) {
  constexpr int kColumns = 64;
  constexpr int kRows = 16;
  const auto drawn = drawable(points);
  if (drawn.empty()) return "";
  const Axes axes(drawn, kColumns - 1, kRows - 1);
  std::vector<std::string> rows(kRows, std::string(kColumns, ' '));
  for (const LrRangePoint& point : drawn) {
    rows[static_cast<std::size_t>(std::lround(axes.y(point.smoothed)))]
        [static_cast<std::size_t>(std::lround(axes.x(point.rate)))] = '*';
  }
  std::string text;
  for (int row = 0; row < kRows; ++row) {
    const double loss = axes.high() - (axes.high() - axes.low()) * row / (kRows - 1);
    const std::string label = row % 5 == 0 ? fmt::format("{:>9.4g}", loss) : std::string(9, ' ');
    add_line(text, fmt::format("{} |{}", label, rows[static_cast<std::size_t>(row)]));
  }
  std::string scale(kColumns + 8, ' ');
  for (int decade = axes.first_decade(); decade <= axes.last_decade(); ++decade) {
    const std::string label = fmt::format("1e{}", decade);
    scale.replace(static_cast<std::size_t>(std::lround(axes.x(std::pow(10, decade)))), label.size(), label);
  }
  add_line(text, std::string(10, ' ') + '+' + std::string(kColumns, '-'));
  add_line(text, std::string(11, ' ') + scale);
  if (suggestion) {
    const auto column = static_cast<std::size_t>(std::lround(axes.x(*suggestion)));
    add_line(text, std::string(11 + column, ' ') + "^ suggestion");
  }
  return text;
}

std::string lr_curve_csv(std::span<const LrRangePoint> points) {
  std::string text = "rate,loss,smoothed\n";
  for (const LrRangePoint& point : points) text += fmt::format("{},{},{}\n", point.rate, point.loss, point.smoothed);
  return text;
}

std::string lr_curve_svg(std::span<const LrRangePoint> points, std::optional<double> suggestion,
                         const std::string& title) {
  const auto drawn = drawable(points);
  if (drawn.empty()) return "";
  // At the last point the loss may have exploded; it must not flatten all others.
  const double highest = 2 * drawn.front().smoothed;
  report::Series curve{.name = "smoothed loss", .points = {}};
  for (const LrRangePoint& point : drawn) {
    if (point.smoothed <= highest) curve.points.push_back({.x = point.rate, .y = point.smoothed});
  }
  report::LineChart chart{.x = {.title = "learning rate", .scale = report::AxisScale::log10},
                          .y = {.title = "smoothed loss"},
                          .series = {std::move(curve)}};
  if (suggestion) {
    chart.series.push_back({.name = fmt::format("suggestion: {:.2g}", *suggestion),
                            .points = {{.x = *suggestion, .y = loss_at(drawn, *suggestion)}}});
  }
  return report::to_svg_file({.id = "learning-rate",
                              .title = title,
                              .definition = "Training loss while the rate rises from step to step, smoothed.",
                              .chart = std::move(chart),
                              .data = {}});
}

}  // namespace convoy::cli
