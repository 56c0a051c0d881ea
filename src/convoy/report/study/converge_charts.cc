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

LineChart curves_of(const ConvergeAnalysis& analysis, Axis y, const OverRow& row, const EpochMeasure& measure) {
  LineChart chart{.x = {.title = row.title,
                        .scale = row.over == Over::bytes ? AxisScale::log10 : AxisScale::linear,
                        .from_zero = row.over == Over::time,
                        .categories = {}},
                  .y = std::move(y),
                  .series = {}};
  for (const ConvergePoint& point : analysis.points) {
    // With more threads than cores a run takes longer but learns the same.
    const bool is_doubtful = row.over == Over::time && point.has_doubtful_times();
    Series line{.name = converge_name(point), .points = {}};
    for (const MeanAccuracy& epoch : point.curve) {
      const double x = row.of(epoch);
      std::optional<Point> drawn = x > 0 ? measure(x, epoch) : std::nullopt;
      if (!drawn) continue;
      drawn->hollow = is_doubtful;
      line.points.push_back(*drawn);
    }
    if (line.points.empty()) continue;
    if (is_doubtful) chart.hollow_means = times_hollow_text(analysis);
    chart.series.push_back(std::move(line));
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

std::optional<Point> loss_point(double x, const MeanAccuracy& epoch) {
  return epoch.train_loss ? std::optional(summary_point(x, *epoch.train_loss)) : std::nullopt;
}

// Figures over epochs and, if they are known, over time and bytes.
std::optional<Section> figures_of(const ConvergeAnalysis& analysis, const std::string& what, const std::string& y_title,
                                  const std::string& definition, const EpochMeasure& measure) {
  Section section{.id = what, .title = capitalized(what), .blocks = {}};
  const std::string text =
      definition +
      " Means over the runs of a point (their seeds differ) with the 95 % interval, cut at what is possible.";
  for (const OverRow& row : kOver) {
    LineChart chart = curves_of(analysis, {.title = y_title, .categories = {}}, row, measure);
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
  return figures_of(analysis, "accuracy", "test accuracy (%)", meaning(Term::final_accuracy), accuracy_point);
}

std::optional<Section> error_section(const ConvergeAnalysis& analysis) {
  return figures_of(analysis, "error", "test error (%)", meaning(Term::test_error), error_point);
}

std::optional<Section> loss_section(const ConvergeAnalysis& analysis) {
  return figures_of(analysis, "loss", "training loss", "Mean training loss of an epoch, at epochs that were evaluated.",
                    loss_point);
}

}  // namespace convoy::report
