#include "convoy/report/run/run_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/time_shares.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

std::string folder_name(const RunRecord& run, std::size_t number) {
  const std::filesystem::path path = run.folder.lexically_normal();
  const std::string name = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  return name.empty() || name == "." ? fmt::format("run {}", number) : name;
}

std::string without_doubles(std::string name, const std::vector<NamedRun>& earlier, std::size_t number) {
  if (std::ranges::find(earlier, name, &NamedRun::name) == earlier.end()) return name;
  return fmt::format("{} ({})", name, number);
}

}  // namespace

std::vector<NamedRun> named_runs(const std::vector<RunRecord>& runs) {
  std::vector<NamedRun> named;
  for (const RunRecord& run : runs) {
    const std::size_t number = named.size() + 1;
    named.push_back({.name = without_doubles(folder_name(run, number), named, number),
                     .record = &run,
                     .measures = study::measure_run(run, run.summary.throughput.skipped_epochs)});
  }
  return named;
}

std::string configured(const RunRecord& run, const std::string& key) {
  const auto& configuration = run.info.configuration;
  if (!configuration.is_object()) return "";
  const auto found = configuration.find(key);
  if (found == configuration.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string state_text(const RunRecord& run) {
  const RunSummary& summary = run.summary;
  if (summary.status == RunStatus::completed) return "completed";
  // A run that was killed could not record that, so it may also be killed.
  std::string text(summary.status == RunStatus::running ? "running or killed" : to_text(summary.status));
  if (!summary.reason.empty()) text += ": " + summary.reason;
  const std::string planned = configured(run, "epochs");
  text += fmt::format(", after {}{} epochs", run.epochs.size(), planned.empty() ? "" : " of " + planned);
  return text;
}

Series epoch_line(const NamedRun& run, std::string name, bool over_time, const EpochValue& get) {
  Series line{.name = std::move(name), .points = {}};
  for (const EpochRecord& epoch : run.record->epochs) {
    const std::optional<double> value = get(epoch);
    if (!value) continue;
    const double x = over_time ? epoch.elapsed_seconds : static_cast<double>(epoch.epoch);
    if (!std::isfinite(x)) continue;  // an imported log does not have times
    line.points.push_back({.x = x, .y = *value, .low = {}, .high = {}});
  }
  return line;
}

namespace {

constexpr const char* kSeconds = "seconds since the start of the run";

using Runs = std::vector<NamedRun>;

// A value that is drawn for each epoch, and its name.
struct Curve {
  std::string name;  // "training"; empty when it is the only one
  EpochValue get;
  bool is_apart = false;  // a line in a colour of its own
};

std::string line_name(const Runs& runs, const NamedRun& run, const Curve& curve) {
  if (curve.name.empty()) return run.name;
  return runs.size() == 1 ? curve.name : fmt::format("{}, {}", run.name, curve.name);
}

LineChart chart_of(const Runs& runs, const std::vector<Curve>& curves, Axis y, bool over_time) {
  LineChart chart{.x = {.title = over_time ? kSeconds : "epoch", .from_zero = over_time, .categories = {}},
                  .y = std::move(y),
                  .series = {}};
  for (const NamedRun& run : runs) {
    // Lines of a run have the same colour, to show that they belong together.
    std::optional<std::size_t> first;
    for (const Curve& curve : curves) {
      Series line = epoch_line(run, line_name(runs, run, curve), over_time, curve.get);
      if (line.points.empty()) continue;
      if (!curve.is_apart) line.paired_with = first;
      if (!first) first = chart.series.size();
      chart.series.push_back(std::move(line));
    }
  }
  return chart;
}

std::optional<Section> over_epochs_and_time(const Runs& runs, const std::vector<Curve>& curves, const std::string& id,
                                            const std::string& title, const Axis& y, const std::string& definition) {
  LineChart epochs = chart_of(runs, curves, y, false);
  if (epochs.series.empty()) return std::nullopt;
  Section section{.id = id, .title = title, .blocks = {}};
  section.blocks.emplace_back(make_figure(id + "-epochs", title + " over epochs", definition, std::move(epochs)));
  LineChart seconds = chart_of(runs, curves, y, true);
  if (seconds.series.empty()) return section;
  section.blocks.emplace_back(make_figure(id + "-time", title + " over time",
                                          definition + " Evaluations are part of the time.", std::move(seconds)));
  return section;
}

std::optional<double> scaled(const std::optional<double>& value, double factor) {
  return value ? std::optional(*value * factor) : std::nullopt;
}

std::optional<double> known(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

}  // namespace

std::optional<Section> run_loss_section(const Runs& runs) {
  return over_epochs_and_time(runs,
                              {{"test", [](const EpochRecord& epoch) { return epoch.test_loss; }},
                               {"training", [](const EpochRecord& epoch) { return std::optional(epoch.train_loss); }}},
                              "loss", "Loss", {.title = "loss", .categories = {}},
                              "Mean over the samples of an epoch, each at the step that used it; on the test data, "
                              "after the epoch.");
}

std::optional<Section> run_accuracy_section(const Runs& runs) {
  return over_epochs_and_time(
      runs,
      {{"test", [](const EpochRecord& epoch) { return scaled(epoch.test_top1, kPercent); }},
       {"test, averaged weights", [](const EpochRecord& epoch) { return scaled(epoch.average_test_top1, kPercent); },
        true},
       {"training", [](const EpochRecord& epoch) { return scaled(known(epoch.train_accuracy), kPercent); }}},
      "accuracy", "Accuracy", {.title = "accuracy (%)", .categories = {}},
      "Share of samples whose class is predicted right (top-1): of an epoch's training samples, each at the step that "
      "used it, and of the test data after the epoch.");
}

std::optional<Section> run_error_section(const Runs& runs) {
  const auto error = [](const std::optional<double>& accuracy) {
    return accuracy ? std::optional(kPercent * (1 - *accuracy)) : std::nullopt;
  };
  return over_epochs_and_time(
      runs,
      {{"test", [=](const EpochRecord& epoch) { return error(epoch.test_top1); }},
       {"test, averaged weights", [=](const EpochRecord& epoch) { return error(epoch.average_test_top1); }, true},
       {"training", [=](const EpochRecord& epoch) { return error(known(epoch.train_accuracy)); }}},
      "error", "Error", {.title = "error (%)", .categories = {}}, meaning(Term::test_error));
}

std::optional<Section> learning_rate_section(const Runs& runs) {
  const Curve rate{"", [](const EpochRecord& epoch) { return known(epoch.learning_rate); }};
  LineChart chart = chart_of(runs, {rate}, {.title = "learning rate", .from_zero = true, .categories = {}}, false);
  if (chart.series.empty()) return std::nullopt;
  return Section{.id = "learning-rate",
                 .title = "Learning rate",
                 .blocks = {make_figure("learning-rate", "Learning rate over epochs", "Of the last step of each epoch.",
                                        std::move(chart))}};
}

namespace {

// Adds a line at the number of cores that a run may use, so that the axis reaches it.
void add_cores(LineChart& chart, const Runs& runs) {
  double most = 0;
  for (const NamedRun& run : runs) {
    for (const EpochRecord& epoch : run.record->epochs) most = std::max(most, epoch.cores.value_or(0));
  }
  double end = 0;
  for (const Series& line : chart.series) {
    for (const Point& point : line.points) end = std::max(end, point.x);
  }
  if (most == 0) return;
  const auto at = [&](double x) { return Point{.x = x, .y = most, .low = {}, .high = {}}; };
  chart.series.push_back({.name = "cores of the run", .points = {at(0), at(end)}, .dashed = true});
}

}  // namespace

std::optional<Section> run_cpu_use_section(const Runs& runs) {
  const Curve use{"", [](const EpochRecord& epoch) {
                    return epoch.cpu_use > 0 ? known(epoch.cpu_use) : std::nullopt;  // 0: not known
                  }};
  LineChart chart = chart_of(runs, {use}, {.title = "cores kept busy", .from_zero = true, .categories = {}}, true);
  if (chart.series.empty()) return std::nullopt;
  add_cores(chart, runs);
  return Section{
      .id = "cpu-use",
      .title = "CPU use over time",
      .blocks = {make_figure("cpu-use", "CPU use over time",
                             meaning(Term::cpu_use) + " A mark stands at the end of its epoch.", std::move(chart))}};
}

std::optional<Section> run_shares_section(const Runs& runs) {
  StackedBarChart chart{
      .stack_title = "run", .share_title = "share of step time (%)", .parts = share_names(), .stacks = {}};
  for (const NamedRun& run : runs) {
    if (run.measures.shares) chart.stacks.push_back({run.name, share_amounts(*run.measures.shares)});
  }
  if (chart.stacks.empty()) return std::nullopt;
  return Section{
      .id = "shares",
      .title = "Where the time goes",
      .blocks = {make_figure("shares", "Where the time of a step goes", meaning(Term::shares), std::move(chart))}};
}

std::optional<Section> class_accuracy_section(const NamedRun& run) {
  const RunSummary& summary = run.record->summary;
  if (summary.class_accuracy.empty()) return std::nullopt;
  RankChart chart{.value_title = "accuracy (%)", .bars = {}, .better = Better::higher};
  for (std::size_t i = 0; i < summary.class_accuracy.size(); ++i) {
    const std::string name = i < summary.classes.size() ? summary.classes[i] : fmt::format("class {}", i);
    chart.bars.push_back({name, {.value = summary.class_accuracy[i] * kPercent}});
  }
  return Section{.id = "classes",
                 .title = "Accuracy by class",
                 .blocks = {make_figure("classes", "Accuracy by class",
                                        "Share of the test samples of a class that are predicted as such, by the last "
                                        "evaluation.",
                                        std::move(chart))}};
}

}  // namespace convoy::report
