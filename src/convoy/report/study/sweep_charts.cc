#include <fmt/format.h>

#include <algorithm>

#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/study/sweep_parts.h"
#include "convoy/report/words.h"
#include "convoy/study/measure/convergence.h"

namespace convoy::report {
namespace {

using study::CurveAxis;
using study::StudyResults;
using study::StudyRun;
using study::SweepPoint;

// As many curves as can still be distinguished, and as many marks as do not hide a curve.
constexpr std::size_t kMostCurves = 8;
constexpr std::size_t kMostMarks = 40;

// A run whose curves are drawn, and its name there.
struct DrawnRun {
  std::string name;
  const study::RunMeasures* measures;
  bool oversubscribed = false;
};

const StudyRun* first_counted(const StudyResults& results, const study::Point& point) {
  const auto result = std::ranges::find(results.points, point, &study::PointResult::point);
  const auto run = std::ranges::find_if(result->runs, &StudyRun::counts);
  return run == result->runs.end() ? nullptr : &*run;
}

std::vector<DrawnRun> best_runs(const SweepPart& part) {
  std::vector<DrawnRun> runs;
  for (const SweepPoint& point : part.analysis.ranked) {
    // Those that are far off would flatten the others; the ranking has them.
    if (runs.size() == kMostCurves || !is_drawable(point, part.analysis)) break;
    const StudyRun* const run = first_counted(part.results, point.point);
    if (run != nullptr) runs.push_back({point.name, &*run->measures, point.oversubscribed});
  }
  return runs;
}

// With more threads than cores a run takes longer but learns the same.
Series& add_line(LineChart& chart, const DrawnRun& run, bool over_time) {
  if (over_time && run.oversubscribed) chart.hollow_means = kOversubscribedMeans;
  Series& line = chart.series.emplace_back();
  line.name = run.name;
  return line;
}

LineChart loss_chart(const std::vector<DrawnRun>& runs, const std::string& x_title, CurveAxis axis) {
  LineChart chart{.x = {.title = x_title, .from_zero = true, .categories = {}},
                  .y = {.title = "training loss", .categories = {}},
                  .series = {}};
  const bool over_time = axis == CurveAxis::seconds;
  for (const DrawnRun& run : runs) {
    Series& line = add_line(chart, run, over_time);
    for (const study::LossPoint& seen : study::smoothed(study::loss_curve(*run.measures, axis), kMostMarks)) {
      line.points.push_back(
          {.x = seen.at, .y = seen.loss, .low = {}, .high = {}, .hollow = over_time && run.oversubscribed});
    }
  }
  return chart;
}

LineChart accuracy_chart(const std::vector<DrawnRun>& runs) {
  LineChart chart{.x = {.title = "seconds since the start of the run", .from_zero = true, .categories = {}},
                  .y = {.title = "test accuracy (%)", .categories = {}},
                  .series = {}};
  for (const DrawnRun& run : runs) {
    const auto curve = study::accuracy_curve(*run.measures);
    if (curve.empty()) continue;
    Series& line = add_line(chart, run, true);
    for (const study::AccuracyPoint& seen : curve) {
      line.points.push_back(
          {.x = seen.seconds, .y = kPercent * seen.accuracy, .low = {}, .high = {}, .hollow = run.oversubscribed});
    }
  }
  return chart;
}

struct CurveWords {
  std::string prefix;  // for ids
  std::string suffix;
  std::string of;     // for titles
  std::string which;  // a sentence that says which runs are drawn
};

std::vector<Figure> figures_of(const std::vector<DrawnRun>& runs, const CurveWords& words) {
  std::vector<Figure> figures;
  if (runs.empty()) return figures;
  const std::string loss = fmt::format(
      "Training loss of the steps from the start on, or of the epochs of a run without a record of them; where there "
      "are more than {} each mark is the mean of as many successive ones, in the middle of them. {}",
      kMostMarks, words.which);
  const auto add = [&](const char* id, const char* title, const std::string& definition, LineChart chart) {
    if (chart.series.empty()) return;
    figures.push_back(make_figure(words.prefix + id + words.suffix, title + words.of, definition, std::move(chart)));
  };
  add("loss-over-time", "Loss over time", loss,
      loss_chart(runs, "seconds since the start of training", CurveAxis::seconds));
  add("accuracy-over-time", "Test accuracy over time", meaning(Term::final_accuracy) + " " + words.which,
      accuracy_chart(runs));
  add("loss-over-samples", "Loss over samples", loss, loss_chart(runs, "samples trained on", CurveAxis::samples));
  return figures;
}

}  // namespace

std::optional<Figure> ranking_figure(const SweepPart& part) {
  RankChart chart{.value_title = "mean loss over time", .bars = {}, .better = Better::lower};
  for (const SweepPoint& point : part.analysis.ranked) {
    const bool ranked = point.loss_by_seconds.has_value();
    const bool drawn = is_drawable(point, part.analysis);
    const char* const why = ranked ? "far off" : point.given_up ? "given up" : "no loss";
    Bar bar{.hollow = point.oversubscribed};
    if (drawn) bar.value = *point.loss_by_seconds;
    if (point.oversubscribed) chart.hollow_means = kOversubscribedMeans;
    chart.bars.push_back({.name = point.name, .bar = bar, .without_value = why});
  }
  if (std::ranges::none_of(part.analysis.ranked, [](const SweepPoint& p) { return p.loss_by_seconds.has_value(); })) {
    return std::nullopt;
  }
  return make_figure("ranking-chart" + part.suffix, "Settings by the mean loss over time" + part.of,
                     meaning(Term::loss_area) +
                         " Points that were given up, or have a loss that is not finite or more "
                         "than a hundred times the best, have no bar.",
                     std::move(chart));
}

std::vector<Figure> curve_figures(const SweepPart& part) {
  const std::vector<DrawnRun> runs = best_runs(part);
  const std::string which =
      fmt::format("The first run of each of the best {}.", count_text(std::ssize(runs), "points"));
  return figures_of(runs, {.prefix = "", .suffix = part.suffix, .of = part.of, .which = which});
}

std::optional<Section> retrained_section(const StudyResults& results) {
  std::vector<DrawnRun> runs;
  Table table{.id = "retrained",
              .caption = "The best settings, trained once more and for longer",
              .header = {"settings", "epochs", "final loss", "test accuracy (%)", "highest (%)", "run time (s)"},
              .rows = {}};
  for (const StudyRun& run : results.retrained) {
    const std::string name = study::point_text(run.outcome.run.point, study::varied_keys(results.spec));
    if (!run.counts() || run.measures->curve.empty()) {
      table.add_row({name, fmt::format("{}", run.outcome.epochs), "-", "-", "-", "-"}, RowMark::failed);
      continue;
    }
    const study::CurvePoint& last = run.measures->curve.back();
    std::optional<double> highest;
    for (const study::AccuracyPoint& seen : study::accuracy_curve(*run.measures)) {
      highest = std::max(highest.value_or(0), seen.accuracy);
    }
    table.add_row({name, fmt::format("{}", run.outcome.epochs), number_cell(last.train_loss),
                   percent_cell(last.test_top1), percent_cell(highest), number_cell(run.outcome.turnaround_seconds)});
    runs.push_back({name, &*run.measures, run.outcome.run.oversubscribed});
  }
  if (table.rows.empty()) return std::nullopt;
  Section section{.id = "retrained", .title = "The best, trained longer", .blocks = {std::move(table)}};
  const CurveWords words{.prefix = "retrained-",
                         .suffix = "",
                         .of = " of the best settings",
                         .which = "One run of the best settings for each number of workers."};
  for (Figure& figure : figures_of(runs, words)) section.blocks.emplace_back(std::move(figure));
  return section;
}

}  // namespace convoy::report
