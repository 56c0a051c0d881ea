#include "convoy/report/study/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/base/shell_text.h"
#include "convoy/report/study/kind_reports.h"
#include "convoy/report/words.h"
#include "convoy/study/plan/price.h"

namespace convoy::report {
namespace {

bool tells_threads(const RunInfo* run) {
  return std::ranges::all_of(run->hosts, [](const HostInfo& host) { return host.hardware_threads > 0; });
}

}  // namespace

std::string machine_text(const HostInfo& host) {
  if (host.hardware_threads == 0) return host.cpu_model;
  return fmt::format("{}, {}", host.cpu_model, count_text(host.hardware_threads, "hardware threads"));
}

std::vector<std::string> machine_texts(std::span<const RunInfo* const> runs) {
  const bool with_threads = std::ranges::all_of(runs, tells_threads);
  std::vector<std::string> texts;
  for (const RunInfo* const run : runs) {
    std::set<std::string> kinds;
    for (const HostInfo& host : run->hosts) kinds.insert(with_threads ? machine_text(host) : host.cpu_model);
    texts.push_back(fmt::format("{}", fmt::join(kinds, " and ")));
  }
  return texts;
}

namespace {

using study::StudyResults;
using study::StudySpec;

Table two_columns(std::string id, std::string caption, std::string what) {
  return {.id = std::move(id), .caption = std::move(caption), .header = {std::move(what), "value"}, .rows = {}};
}

void add_plan_rows(Table& table, const StudySpec& spec) {
  const study::KindRow& kind = study::kind_row(spec.kind);
  if (!kind.imported) table.add_row({"repeats of each point", fmt::format("{}", spec.repeats)});
  table.add_row({"epochs skipped at the start", fmt::format("{}", spec.skipped_epochs)});
  if (!kind.imported) {
    table.add_row({"cores of all hosts", fmt::format("{}", spec.cores)});
    table.add_row({"seed of the order of runs", fmt::format("{}", spec.order_seed)});
  }
  if (spec.random_points > 0) table.add_row({"points drawn from the grid", fmt::format("{}", spec.random_points)});
  if (spec.halving) {
    table.add_row(
        {"successive halving", fmt::format("first after {}, then 1 of {} goes on",
                                           count_text(spec.halving->first_epochs, "epochs"), spec.halving->eta)});
  }
  if (spec.price > 0) table.add_row({"price of a worker-hour", to_text(study::Price{spec.price, spec.currency})});
  if (spec.target_accuracy > 0) table.add_row({"target accuracy", percent_text(spec.target_accuracy)});
  if (kind.has_target) table.add_row({"stable within (points)", fmt::format("{}", 100 * spec.stable_within)});
}

Table settings_table(const StudyResults& results) {
  Table table = two_columns("settings", "Settings", "setting");
  for (const study::Axis& axis : results.spec.axes) {
    table.add_row({axis.key + " (varies)", fmt::format("{}", fmt::join(axis.values, ", "))});
  }
  for (const auto& [key, value] : results.spec.settings) table.add_row({key, value});
  add_plan_rows(table, results.spec);
  return table;
}

std::string skipped_text(const StudySpec& spec) {
  if (spec.skipped_epochs == 0) return " No epoch is skipped.";
  if (spec.skipped_epochs == 1) return " The first epoch of each run is skipped: throughputs leave it out.";
  return fmt::format(" The first {} epochs of each run are skipped: throughputs leave them out.", spec.skipped_epochs);
}

std::string order_text(const StudyResults& results) {
  const StudySpec& spec = results.spec;
  if (study::kind_row(spec.kind).imported) {
    return "The runs were made by another system and read from its logs." + skipped_text(spec);
  }
  const std::string order = fmt::format(
      "{} of {} planned runs have ended. They run one after the other, repeat after repeat, each time in an order "
      "shuffled by the seed {}, so that a slow change of the machine falls on all points alike.",
      results.ended_runs, results.planned_runs, spec.order_seed);
  return order + skipped_text(spec);
}

std::string hosts_text(const std::vector<HostInfo>& hosts) {
  std::vector<std::string> names;
  for (const HostInfo& host : hosts) names.push_back(host.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Table failed_table(const StudyResults& results) {
  Table table{.id = "failed-runs",
              .caption = "Runs that failed: they are kept, and count in no number",
              .header = {"run", "point", "exit code", "why"},
              .rows = {}};
  for (const study::PointResult& point : results.points) {
    for (const study::StudyRun& run : point.runs) {
      if (run.counts()) continue;
      table.add_row(
          {run.outcome.run.id, study::point_text(point.point), fmt::format("{}", run.outcome.exit_code), run.trouble},
          RowMark::failed);
    }
  }
  return table;
}

// A note without the run that it begins with, and that run.
struct RunNote {
  std::string text;
  std::string run;  // empty: the note is not about one run
};

RunNote run_note(const std::set<std::string>& runs, const std::string& note) {
  const std::size_t colon = note.find(": ");
  if (colon == std::string::npos || !runs.contains(note.substr(0, colon))) return {.text = note, .run = ""};
  return {.text = note.substr(colon + 2), .run = note.substr(0, colon)};
}

// Notes that are not shown elsewhere in the section, equal ones of several runs as one; failed runs have a table of
// their own.
Table notes_table(const StudyResults& results) {
  std::set<std::string> ids;
  for (const study::PointResult& point : results.points) {
    for (const study::StudyRun& run : point.runs) ids.insert(run.outcome.run.id);
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;  // texts and their runs
  for (const std::string& note : results.notes) {
    if (note.find(" failed: ") != std::string::npos) continue;
    RunNote of_run = run_note(ids, note);
    auto found = std::ranges::find(notes, of_run.text, &decltype(notes)::value_type::first);
    if (found == notes.end()) found = notes.insert(notes.end(), {of_run.text, {}});
    if (!of_run.run.empty()) found->second.push_back(of_run.run);
  }
  Table table{.id = "notes", .caption = "What was unusual", .header = {"note", "runs"}, .rows = {}};
  for (const auto& [text, runs] : notes) table.add_row({text, fmt::format("{}", fmt::join(runs, ", "))});
  return table;
}

void add_if_filled(Section& section, Table table) {
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

}  // namespace

Table machine_table(const RunInfo& info) {
  Table table = two_columns("machine", "Machine and versions", "what");
  std::map<std::string, std::vector<HostInfo>> kinds;  // hosts of the same kind are described once
  for (const HostInfo& host : info.hosts) {
    kinds[fmt::format("{}, {}", machine_text(host), bytes_text(static_cast<double>(host.memory_bytes)))].push_back(
        host);
  }
  for (const auto& [kind, hosts] : kinds) table.add_row({hosts_text(hosts), kind});
  if (!info.build.version.empty()) {
    table.add_row({"Convoy", fmt::format("{} ({}, {}, {})", info.build.version, info.build.git_id,
                                         info.build.build_type, info.build.compiler)});
  }
  for (const auto& [name, version] : info.libraries) table.add_row({name, version});
  return table;
}

namespace {

// Includes repeated runs.
std::int64_t run_count(const StudyResults& results) {
  std::int64_t count = 0;
  for (const study::PointResult& point : results.points) count += std::ssize(point.runs);
  return count;
}

std::string disturbed_text(const StudyResults& results) {
  std::string what = fmt::format("Others used the cores during {} of {}; the last section says how much.",
                                 results.disturbed_runs, count_text(run_count(results), "runs"));
  switch (study::repetition_of(results)) {
    case study::Repetition::possible:
      return fmt::format("{} `convoy study continue {} --repeat-disturbed` runs them again.", what,
                         results.folder.string());
    case study::Repetition::exhausted:
      return fmt::format("{} Some were disturbed in each of {} attempts.", what, study::kMostAttempts);
    case study::Repetition::done:
      return what + " They were run again since.";
  }
  return what;
}

Notice notice_of(const StudyResults& results, const study::StudyWarning& warning) {
  const auto say = [](const char* title, std::string text) {
    return Notice{.kind = Notice::Kind::warning, .title = title, .text = std::move(text)};
  };
  switch (warning.kind) {
    case study::WarningKind::incomplete:
      return say("Incomplete", fmt::format("{} of {} runs have ended; the numbers below are of these. The same command "
                                           "goes on with the rest.",
                                           results.ended_runs, results.planned_runs));
    case study::WarningKind::failed_runs:
      return say("Failed runs", fmt::format("{} of {} runs failed and count in no number; the last section says why.",
                                            results.failed_runs, results.ended_runs));
    case study::WarningKind::unknown_settings:
      return say("What the logs do not say", warning.text);
    case study::WarningKind::disturbed_runs:
      return say("Disturbed runs", disturbed_text(results));
  }
  return say("", warning.text);
}

}  // namespace

std::vector<Block> state_notices(const study::StudyAnalysis& study) {
  std::vector<Block> notices;
  for (const study::StudyWarning& warning : study.warnings) notices.emplace_back(notice_of(study.results, warning));
  return notices;
}

Section provenance_section(const StudyResults& results) {
  Section section{.id = "measured", .title = "How it was measured", .blocks = {}};
  if (!results.spec.command.empty()) {
    section.blocks.emplace_back(Listing{shell_listing(results.spec.command), "The command that made this study"});
  }
  section.blocks.emplace_back(Paragraph{order_text(results)});
  add_if_filled(section, settings_table(results));
  if (results.info && !study::kind_row(results.spec.kind).imported) {
    Table machine = machine_table(*results.info);
    if (!results.info->started.empty()) machine.add_row({"a run started", results.info->started});
    add_if_filled(section, std::move(machine));
  }
  add_if_filled(section, failed_table(results));
  add_if_filled(section, notes_table(results));
  section.blocks.emplace_back(definitions(terms_of(results)));
  return section;
}

}  // namespace convoy::report
