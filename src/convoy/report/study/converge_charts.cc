#include "convoy/report/study/converge_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::ConvergeAnalysis;
using study::ConvergePoint;
using study::MeanAccuracy;

// What the x axis of curves shows.
enum class Over : std::uint8_t { epochs, time, bytes };

struct OverRow {
  Over over;
  const char* id;
  const char* title;  // of the axis
  const char* note;
  double (*of)(const MeanAccuracy&);  // 0 where it is not known
};

constexpr std::array kOver = {
    OverRow{Over::epochs, "epochs", "epoch", "",
            [](const MeanAccuracy& epoch) { return static_cast<double>(epoch.epoch); }},
    OverRow{Over::time, "time", "seconds since the start of the run",
            " Time is the mean over runs to the end of the evaluation.",
            [](const MeanAccuracy& epoch) { return epoch.seconds; }},
    // Codecs differ in the bytes they send by factors of up to 30, so the axis is logarithmic.
    OverRow{Over::bytes, "bytes", "MB sent between machines since the start of the run",
            " Bytes are those of messages between machines, of all workers together; the axis is logarithmic.",
            [](const MeanAccuracy& epoch) { return epoch.wire_bytes / 1e6; }}};

// The point that is drawn for an epoch; no value if it is not known.
using EpochMeasure = std::function<std::optional<Point>(double x, const MeanAccuracy&)>;

// One of the lines that every point has in a figure.
struct PointCurve {
  std::string name;  // "training"; empty when it is the only one
  EpochMeasure measure;
};

Series line_of(const ConvergePoint& point, const OverRow& row, const PointCurve& curve) {
  const std::string name = converge_name(point);
  Series line{.name = curve.name.empty() ? name : fmt::format("{}, {}", name, curve.name), .points = {}};
  for (const MeanAccuracy& epoch : point.curve) {
    const double x = row.of(epoch);
    std::optional<Point> drawn = x > 0 ? curve.measure(x, epoch) : std::nullopt;
    if (!drawn) continue;
    // With more threads than cores a run takes longer but learns the same.
    drawn->hollow = row.over == Over::time && point.has_doubtful_times();
    line.points.push_back(*drawn);
  }
  return line;
}

LineChart chart_of(const ConvergeAnalysis& analysis, Axis y, const OverRow& row,
                   const std::vector<PointCurve>& curves) {
  LineChart chart{.x = {.title = row.title,
                        .scale = row.over == Over::bytes ? AxisScale::log10 : AxisScale::linear,
                        .from_zero = row.over == Over::time,
                        .categories = {}},
                  .y = std::move(y),
                  .series = {}};
  for (const ConvergePoint& point : analysis.points) {
    // The lines of a point share its colour.
    std::optional<std::size_t> first;
    for (const PointCurve& curve : curves) {
      Series line = line_of(point, row, curve);
      if (line.points.empty()) continue;
      if (line.points.front().hollow) chart.hollow_means = times_hollow_text(analysis);
      line.paired_with = first;
      if (!first) first = chart.series.size();
      chart.series.push_back(std::move(line));
    }
  }
  return chart;
}

std::optional<Point> accuracy_point(double x, const MeanAccuracy& epoch) {
  return summary_point(x, epoch.accuracy, {.scale = kPercent, .most = kPercent});
}

// 100 % minus the accuracy: the upper end of its interval becomes the lower end.
std::optional<Point> error_point(double x, const MeanAccuracy& epoch) {
  const Point accuracy = *accuracy_point(x, epoch);
  Point error = accuracy;
  error.y = kPercent - accuracy.y;
  error.low = accuracy.high ? std::optional(kPercent - *accuracy.high) : std::nullopt;
  error.high = accuracy.low ? std::optional(kPercent - *accuracy.low) : std::nullopt;
  return error;
}

// The mean alone: two lines of each point with intervals would hide each other.
std::optional<Point> mean_point(double x, const MaybeSummary& summary, double scale = 1) {
  if (!summary) return std::nullopt;
  return Point{.x = x, .y = scale * summary->mean, .low = {}, .high = {}};
}

std::optional<Point> loss_point(double x, const MaybeSummary& loss) {
  return loss ? std::optional(summary_point(x, *loss)) : std::nullopt;
}

// With more points than these, lines of training beside those of test data would be too many to follow.
constexpr std::size_t kMostPairs = 6;

// Whether a second line of each point is drawn: some epoch has it, and there are not too many points.
bool has_pairs(const ConvergeAnalysis& analysis, MaybeSummary MeanAccuracy::*second) {
  const auto has_it = [&](const MeanAccuracy& epoch) { return (epoch.*second).has_value(); };
  const auto any_has_it = [&](const ConvergePoint& point) { return std::ranges::any_of(point.curve, has_it); };
  return analysis.points.size() <= kMostPairs && std::ranges::any_of(analysis.points, any_has_it);
}

// Figures over epochs and, if they are known, over time and bytes.
std::optional<Section> figures_of(const ConvergeAnalysis& analysis, const std::string& what, const std::string& y_title,
                                  const std::string& definition, const std::vector<PointCurve>& curves) {
  Section section{.id = what, .title = capitalized(what), .blocks = {}};
  const std::string text =
      definition +
      " Means over the runs of a point (their seeds differ) with the 95 % interval, cut at what is possible.";
  for (const OverRow& row : kOver) {
    LineChart chart = chart_of(analysis, {.title = y_title, .categories = {}}, row, curves);
    if (chart.series.empty()) continue;
    section.blocks.emplace_back(make_figure(fmt::format("{}-{}", what, row.id),
                                            fmt::format("{} over {}", section.title, row.id), text + row.note,
                                            std::move(chart)));
  }
  return section.blocks.empty() ? std::nullopt : std::optional(section);
}

}  // namespace

std::string times_hollow_text(const ConvergeAnalysis& analysis) {
  return hollow_text(
      std::ranges::any_of(analysis.points, &ConvergePoint::oversubscribed),
      std::ranges::any_of(analysis.points, [](const auto& p) { return p.statistics.rests_on_disturbed; }));
}

std::string converge_name(const ConvergePoint& point) {
  return study::point_text(point.point) + (point.oversubscribed ? " (oversubscribed)" : "");
}

std::optional<Section> accuracy_section(const ConvergeAnalysis& analysis) {
  if (!has_pairs(analysis, &MeanAccuracy::train_accuracy)) {
    return figures_of(analysis, "accuracy", "test accuracy (%)", meaning(Term::final_accuracy), {{"", accuracy_point}});
  }
  return figures_of(analysis, "accuracy", "accuracy (%)",
                    meaning(Term::final_accuracy) +
                        " Broken lines: training accuracy over the epoch, of samples as they were augmented, each at "
                        "the step that used it.",
                    {{"test", accuracy_point}, {"training", [](double x, const MeanAccuracy& epoch) {
                                                  return mean_point(x, epoch.train_accuracy, kPercent);
                                                }}});
}

std::optional<Section> error_section(const ConvergeAnalysis& analysis) {
  return figures_of(analysis, "error", "test error (%)", meaning(Term::test_error), {{"", error_point}});
}

std::optional<Section> loss_section(const ConvergeAnalysis& analysis) {
  const PointCurve training = {"training",
                               [](double x, const MeanAccuracy& epoch) { return loss_point(x, epoch.train_loss); }};
  constexpr const char* kDefinition = "Mean training loss of an epoch, at epochs that were evaluated.";
  if (!has_pairs(analysis, &MeanAccuracy::test_loss)) {
    return figures_of(analysis, "loss", "training loss", kDefinition, {{"", training.measure}});
  }
  return figures_of(
      analysis, "loss", "loss", std::string(kDefinition) + " Broken lines: the mean loss on the test data.",
      {training, {"test", [](double x, const MeanAccuracy& epoch) { return mean_point(x, epoch.test_loss); }}});
}

}  // namespace convoy::report
