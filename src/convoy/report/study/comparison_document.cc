#include "convoy/report/study/study_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/number_text.h"
#include "convoy/report/differences.h"
#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/converge_parts.h"
#include "convoy/report/study/provenance.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/study/study_subject.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::StudyAnalysis;
using study::StudyResults;
using Studies = std::vector<StudyAnalysis>;

std::vector<std::string> names_of(const Studies& studies) {
  std::vector<std::string> names;
  for (const StudyAnalysis& study : studies) {
    const std::filesystem::path path = study.results.folder.lexically_normal();
    std::string name = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
    if (name.empty() || name == ".") name = "study";
    const bool taken = std::ranges::find(names, name) != names.end();
    names.push_back(taken ? fmt::format("{} ({})", name, names.size() + 1) : name);
  }
  return names;
}

std::vector<std::string> machines_of(const Studies& studies) {
  static const RunInfo nowhere;  // for a study without runs
  std::vector<const RunInfo*> infos;
  for (const StudyAnalysis& study : studies) {
    const StudyResults& results = study.results;
    const bool is_known = results.info && !study::kind_row(results.spec.kind).imported;
    infos.push_back(is_known ? &*results.info : &nowhere);
  }
  return machine_texts(infos);
}

std::vector<Compared> compared_studies(const Studies& studies, const std::vector<std::string>& names) {
  const std::vector<std::string> machines = machines_of(studies);
  std::vector<Compared> compared;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const StudyResults& results = studies[i].results;
    Compared each{.name = names[i], .settings = results.spec.settings};
    for (const study::Axis& axis : results.spec.axes) {
      each.settings[axis.key] = fmt::format("{}", fmt::join(axis.values, ", "));
    }
    for (const char* const key : {"model", "data"}) {
      each.settings[key] = fmt::format("{}", fmt::join(values_of(results, key), ", "));
    }
    each.settings["kind of study"] = std::string(to_text(results.spec.kind));
    each.settings["machine"] = machines[i];
    each.settings["skipped epochs"] = fmt::format("{}", results.spec.skipped_epochs);
    if (results.info) {
      each.settings["Convoy"] = results.info->build.version + " " + results.info->build.git_id;
    }
    compared.push_back(std::move(each));
  }
  return compared;
}

Table headline_table(const Studies& studies, const std::vector<std::string>& names) {
  Table table{.id = "studies",
              .caption = "The studies",
              .header = {"study", "kind", "about", "points", "runs", "failed", "best samples/s", "95 % interval", "at",
                         "best final accuracy (%)"},
              .rows = {}};
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const StudyResults& results = studies[i].results;
    const std::optional<std::size_t>& fastest = studies[i].fastest;
    const MaybeSummary throughput = fastest ? studies[i].statistics[*fastest].throughput : std::nullopt;
    const std::string subject = subject_text(results);
    table.add_row(
        {names[i], std::string(to_text(results.spec.kind)), subject.empty() ? "-" : subject,
         fmt::format("{}", results.points.size()),
         results.ended_runs < results.planned_runs ? fmt::format("{} of {}", results.ended_runs, results.planned_runs)
                                                   : fmt::format("{}", results.ended_runs),
         fmt::format("{}", results.failed_runs), mean_cell(throughput), interval_cell(throughput),
         fastest ? study::point_text(results.points[*fastest].point) : "-", percent_cell(studies[i].best_accuracy)});
  }
  return table;
}

struct NamedAnalysis {
  std::string name;
  const study::ScaleAnalysis* analysis;
};

using PointValue = std::optional<Point> (*)(const study::ScalePoint&);

std::optional<Point> throughput_point(const study::ScalePoint& point) {
  if (!point.statistics.throughput) return std::nullopt;
  return summary_point(0, *point.statistics.throughput);
}

std::optional<Point> speed_up_point(const study::ScalePoint& point) {
  if (!point.speed_up) return std::nullopt;
  return Point{.x = 0, .y = *point.speed_up, .low = {}, .high = {}};
}

LineChart common_chart(const std::vector<NamedAnalysis>& analyses, Axis y, PointValue value) {
  LineChart chart{.x = {.title = analyses.front().analysis->size_key, .scale = AxisScale::log2, .categories = {}},
                  .y = std::move(y),
                  .series = {}};
  const auto any = [&](bool study::ScaleAnalysis::*is) {
    return std::ranges::any_of(analyses, [&](const NamedAnalysis& each) { return each.analysis->*is; });
  };
  chart.hollow_means =
      hollow_text(any(&study::ScaleAnalysis::any_oversubscribed), any(&study::ScaleAnalysis::any_disturbed));
  for (const NamedAnalysis& each : analyses) {
    for (const study::ScaleSeries& series : each.analysis->series) {
      Series line{.name = series.name.empty() ? each.name : each.name + ": " + series.name, .points = {}};
      for (const study::ScalePoint& point : series.points) {
        std::optional<Point> drawn = value(point);
        if (!drawn || point.size == 0) continue;
        drawn->x = static_cast<double>(point.size);
        drawn->hollow = point.is_doubtful();
        line.points.push_back(*drawn);
      }
      if (!line.points.empty()) chart.series.push_back(std::move(line));
    }
  }
  return chart;
}

// Empty unless all of the studies are about scaling, over the same kind of size.
std::vector<NamedAnalysis> scale_analyses(const Studies& studies, const std::vector<std::string>& names) {
  std::vector<NamedAnalysis> analyses;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const auto* const scaling = std::get_if<study::ScaleAnalysis>(&studies[i].of_kind);
    if (scaling == nullptr) return {};
    analyses.push_back({names[i], scaling});
    if (scaling->size_key != analyses.front().analysis->size_key) return {};
  }
  return analyses;
}

void add_common_figures(Section& section, const std::vector<NamedAnalysis>& analyses) {
  if (analyses.empty()) return;
  LineChart throughput = common_chart(
      analyses, {.title = "throughput (samples/s)", .from_zero = true, .categories = {}}, throughput_point);
  if (!throughput.series.empty()) {
    section.blocks.emplace_back(make_figure("compared-throughput", "Throughput of all studies",
                                            meanings({Term::throughput, Term::interval}), std::move(throughput)));
  }
  LineChart speed_up =
      common_chart(analyses, {.title = "speed-up", .scale = AxisScale::log2, .categories = {}}, speed_up_point);
  if (!speed_up.series.empty()) {
    section.blocks.emplace_back(make_figure("compared-speed-up", "Speed-up of all studies",
                                            meaning(Term::speed_up) + " Each series has its own base.",
                                            std::move(speed_up)));
  }
}

Section summary_of(const Studies& studies, const std::vector<std::string>& names) {
  Section section{.id = "summary", .title = "Comparison", .blocks = {}};
  const std::vector<Compared> compared = compared_studies(studies, names);
  if (differs(compared, "kind of study")) {
    section.blocks.emplace_back(
        Notice{.kind = Notice::Kind::warning,
               .title = "Different kinds of studies",
               .text = "They answer different questions (" + difference_text(compared, "kind of study") +
                       "), so beside a table of headline numbers there is nothing to set side by side."});
  }
  for (Block& notice : difference_notices(compared)) section.blocks.push_back(std::move(notice));
  section.blocks.emplace_back(headline_table(studies, names));
  add_common_figures(section, scale_analyses(studies, names));
  Table differences = difference_table(compared);
  if (!differences.rows.empty()) section.blocks.emplace_back(std::move(differences));
  return section;
}

struct Prefixer {
  std::string prefix;
  void operator()(Table& table) const { table.id = prefix + table.id; }
  void operator()(Figure& figure) const { figure.id = prefix + figure.id; }
  template <typename Other>
  void operator()(Other& /*block*/) const {}
};

bool learns(const StudyAnalysis& study) {
  return std::holds_alternative<study::ConvergeAnalysis>(study.of_kind) ||
         std::holds_alternative<study::SweepAnalysis>(study.of_kind);
}

}  // namespace

void add_part(Document& document, Document part, const std::string& name, const std::string& prefix) {
  const Prefixer prefixer{prefix};
  for (Section& section : part.sections) {
    section.id = prefix + section.id;
    section.title = name + ": " + section.title;
    for (Block& block : section.blocks) std::visit(prefixer, block);
    document.sections.push_back(std::move(section));
  }
}

std::vector<Section> overlaid_sections(const Studies& studies, const std::vector<OverlaidRun>& runs) {
  const std::vector<std::string> names = names_of(studies);
  StudyResults all;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    for (study::PointResult point : studies[i].results.points) {
      if (studies.size() > 1) point.point["study"] = names[i];
      all.points.push_back(std::move(point));
    }
  }
  for (const OverlaidRun& run : runs) {
    study::StudyRun one;
    one.measures = run.measures;
    all.points.push_back({.point = {{"run", run.name}}, .runs = {std::move(one)}});
  }
  const study::ConvergeAnalysis analysis = study::analyse_convergence(all);
  std::vector<Section> sections;
  for (std::optional<Section> section : {accuracy_section(analysis), error_section(analysis), loss_section(analysis)}) {
    if (!section) continue;
    Document one{.title = "", .sections = {std::move(*section)}};
    Document prefixed{.title = ""};
    add_part(prefixed, std::move(one), "All together", "all-");
    sections.push_back(std::move(prefixed.sections.front()));
  }
  return sections;
}

Document comparison_document(const Studies& studies) {
  CONVOY_CHECK(studies.size() > 1);
  const std::vector<std::string> names = names_of(studies);
  Document document{.title = fmt::format("Comparison of {} studies", studies.size()),
                    .subtitle = fmt::format("{}", fmt::join(names, ", ")),
                    .sections = {summary_of(studies, names)}};
  if (std::ranges::all_of(studies, learns)) {
    for (Section& section : overlaid_sections(studies, {})) document.sections.push_back(std::move(section));
  }
  for (std::size_t i = 0; i < studies.size(); ++i) {
    add_part(document, study_document(studies[i]), names[i], fmt::format("s{}-", i + 1));
  }
  return document;
}

}  // namespace convoy::report
