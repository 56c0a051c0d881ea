#include "convoy/report/run/run_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/number_text.h"
#include "convoy/base/shell_text.h"
#include "convoy/report/differences.h"
#include "convoy/report/document.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/run/run_charts.h"
#include "convoy/report/study/provenance.h"
#include "convoy/report/study/study_document.h"
#include "convoy/report/words.h"
#include "convoy/study/measure/overfitting.h"

namespace convoy::report {
namespace {

using Runs = std::vector<NamedRun>;

std::string or_dash(std::string text) { return text.empty() ? "-" : text; }

RowMark mark_of(const RunRecord& run) {
  if (run.summary.status == RunStatus::completed) return RowMark::none;
  const bool broken = run.summary.status == RunStatus::failed || run.summary.status == RunStatus::diverged;
  return broken ? RowMark::failed : RowMark::doubtful;
}

Table table_of(const Runs& runs) {
  Table table{.id = "runs",
              .caption = "Runs",
              .header = {"run", "model", "data", "workers", "batch", "effective lr", "epochs", "final loss",
                         "test accuracy (%)", "best (%)", "time (s)", "samples/s", "CV (%)", "peak memory", "state"},
              .rows = {},
              .details = {"data", "best (%)", "final loss", "CV (%)", "peak memory"}};
  for (const NamedRun& run : runs) {
    const RunSummary& summary = run.record->summary;
    const auto& rates = run.measures.epoch_throughputs;
    const MaybeSummary epochs = rates.empty() ? MaybeSummary() : summarize(rates);
    table.add_row(
        {run.name, or_dash(configured(*run.record, "model")), or_dash(configured(*run.record, "data")),
         fmt::format("{}", run.record->info.ranks), or_dash(configured(*run.record, "batch")),
         rate_cell(run.measures.learning_rate), fmt::format("{}", run.record->epochs.size()),
         number_cell(summary.train_loss), percent_cell(summary.test_top1), percent_cell(summary.best_test_top1),
         run.measures.total_seconds > 0 ? number_cell(run.measures.total_seconds) : "-",
         number_cell(run.measures.throughput), cv_cell(epochs),
         run.measures.peak_memory_bytes > 0 ? bytes_text(run.measures.peak_memory_bytes) : "-",
         state_text(*run.record)},
        mark_of(*run.record));
  }
  return table;
}

// The samples of a step: "512 (4 x 128)" with instances; "-" when the batch is not known.
std::string global_batch_cell(const RunRecord& run) {
  const auto number = [&](const char* key, std::int64_t otherwise) {
    const std::string text = configured(run, key);
    std::int64_t value = otherwise;
    (void)std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const std::int64_t batch = number("batch", 0) * (configured(run, "scaling") == "weak" ? run.info.ranks : 1);
  const std::int64_t instances = number("instances", 1);
  if (batch <= 0) return "-";
  return instances <= 1 ? fmt::format("{}", batch) : fmt::format("{} ({} x {})", instances * batch, instances, batch);
}

// The last epoch that was evaluated, so that training and test accuracy are those of the same epoch.
const EpochRecord* last_evaluated(const RunRecord& run) {
  const EpochRecord* last = nullptr;
  for (const EpochRecord& epoch : run.epochs) {
    if (epoch.test_top1) last = &epoch;
  }
  return last;
}

std::vector<std::string> learning_cells(const NamedRun& run) {
  const EpochRecord* const last = last_evaluated(*run.record);
  std::optional<double> train, test, error, gap;
  if (last != nullptr) test = last->test_top1;
  if (test) error = 1 - *test;
  if (last != nullptr && std::isfinite(last->train_accuracy)) train = last->train_accuracy;
  if (train && test) gap = *train - *test;
  return {run.name,
          last != nullptr ? fmt::format("{}", last->epoch) : "-",
          percent_cell(train),
          percent_cell(test),
          percent_cell(error),
          gap ? fmt::format("{:.1f}", kPercent * *gap) : "-",
          std::string(to_text(study::judge_overfitting(run.measures.curve).overfitting)),
          global_batch_cell(*run.record),
          number_cell(run.measures.epoch_seconds),
          run.measures.total_seconds > 0 ? number_cell(run.measures.total_seconds) : "-"};
}

Table learning_table(const Runs& runs) {
  Table table{.id = "learning",
              .caption = "Training against test data, batch and time, at the last evaluation",
              .header = {"run", "epoch", "train accuracy (%)", "test accuracy (%)", "test error (%)", "gap (points)",
                         "overfitting", "global batch", "epoch (s)", "total (s)"},
              .rows = {}};
  for (const NamedRun& run : runs) table.add_row(learning_cells(run), mark_of(*run.record));
  return table;
}

// One sentence for each run with enough evaluations for a verdict.
std::string overfitting_text(const Runs& runs) {
  std::string text;
  for (const NamedRun& run : runs) {
    const study::OverfittingVerdict verdict = study::judge_overfitting(run.measures.curve);
    if (verdict.overfitting == study::Overfitting::unknown) continue;
    text += fmt::format("{}: overfitting is {} in these epochs ({}). ", run.name, to_text(verdict.overfitting),
                        verdict.why);
  }
  return text + meanings({Term::gap, Term::overfitting});
}

void add_state_notices(Section& section, const Runs& runs) {
  for (const NamedRun& run : runs) {
    if (run.record->summary.status == RunStatus::completed && !run.record->epochs.empty()) continue;
    std::string text = fmt::format("{}: {}.", run.name, state_text(*run.record));
    if (run.record->epochs.empty()) text += " No epoch was finished, so there is nothing to draw of it.";
    section.blocks.emplace_back(
        Notice{.kind = Notice::Kind::warning, .title = "Not a complete run", .text = std::move(text)});
  }
}

Highlights highlights_of(const NamedRun& run) {
  Highlights highlights;
  const RunSummary& summary = run.record->summary;
  if (summary.test_top1) {
    std::string detail = "error " + percent_text(1 - *summary.test_top1);
    if (summary.best_test_top1 && summary.best_epoch) {
      detail += fmt::format("; best {} in epoch {}", percent_text(*summary.best_test_top1), *summary.best_epoch);
    }
    highlights.entries.push_back({"test accuracy", percent_text(*summary.test_top1), std::move(detail)});
  }
  if (run.measures.throughput) {
    highlights.entries.push_back(
        {"throughput", significant_text(*run.measures.throughput) + " samples/s",
         fmt::format("{} counted", count_text(std::ssize(run.measures.epoch_throughputs), "epochs"))});
  }
  if (run.measures.total_seconds > 0) {
    highlights.entries.push_back({"time", significant_text(run.measures.total_seconds) + " s",
                                  count_text(std::ssize(run.record->epochs), "epochs")});
  }
  if (run.measures.peak_memory_bytes > 0) {
    highlights.entries.push_back({"peak memory", bytes_text(run.measures.peak_memory_bytes), ""});
  }
  return highlights;
}

std::vector<Compared> compared_runs(const Runs& runs) {
  std::vector<const RunInfo*> infos;
  for (const NamedRun& run : runs) infos.push_back(&run.record->info);
  const std::vector<std::string> machines = machine_texts(infos);
  std::vector<Compared> compared;
  for (const NamedRun& run : runs) {
    Compared& each = compared.emplace_back(Compared{.name = run.name, .settings = {}});
    const auto& configuration = run.record->info.configuration;
    if (configuration.is_object()) {
      for (const auto& [key, value] : configuration.items()) {
        if (key != "run-dir") each.settings[key] = configured(*run.record, key);
      }
    }
    each.settings["workers"] = fmt::format("{}", run.record->info.ranks);
    each.settings["machine"] = machines[compared.size() - 1];
    each.settings["Convoy"] = run.record->info.build.version + " " + run.record->info.build.git_id;
  }
  return compared;
}

Section summary_of(const Runs& runs) {
  Section section{.id = "summary", .title = "Summary", .blocks = {}};
  add_state_notices(section, runs);
  if (runs.size() > 1) {
    for (Block& notice : difference_notices(compared_runs(runs))) section.blocks.push_back(std::move(notice));
  } else if (Highlights highlights = highlights_of(runs.front()); !highlights.entries.empty()) {
    section.blocks.emplace_back(std::move(highlights));
  }
  section.blocks.emplace_back(table_of(runs));
  if (std::ranges::any_of(runs, [](const NamedRun& run) { return last_evaluated(*run.record) != nullptr; })) {
    section.blocks.emplace_back(learning_table(runs));
    section.blocks.emplace_back(Paragraph{overfitting_text(runs)});
  }
  if (runs.size() > 1) {
    Table differences = difference_table(compared_runs(runs));
    if (!differences.rows.empty()) section.blocks.emplace_back(std::move(differences));
  }
  return section;
}

Table settings_table(const NamedRun& run) {
  Table table{.id = "settings", .caption = "Settings", .header = {"setting", "value"}, .rows = {}, .folded = true};
  const auto& configuration = run.record->info.configuration;
  if (!configuration.is_object()) return table;
  for (const auto& [key, value] : configuration.items()) table.add_row({key, configured(*run.record, key)});
  return table;
}

Table notes_table(const Runs& runs) {
  Table table{.id = "notes", .caption = "What was unusual", .header = {"run", "note"}, .rows = {}};
  for (const NamedRun& run : runs) {
    for (const std::string& note : run.measures.notes) table.add_row({run.name, note});
  }
  return table;
}

bool same_rows(const Table& a, const Table& b) {
  return std::ranges::equal(a.rows, b.rows, {}, &Row::cells, &Row::cells);
}

// One table for each machine, named after the first run on it.
std::vector<Table> machine_tables(const Runs& runs) {
  std::vector<Table> tables;
  for (const NamedRun& run : runs) {
    Table table = machine_table(run.record->info);
    const auto is_same = [&](const Table& other) { return same_rows(other, table); };
    if (table.rows.empty() || std::ranges::any_of(tables, is_same)) continue;
    if (!tables.empty()) {
      table.id += fmt::format("-{}", tables.size() + 1);
      table.caption += " of " + run.name;
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Section measured_section(const Runs& runs) {
  Section section{.id = "measured", .title = "How it was measured", .blocks = {}};
  const auto add = [&](Table table) {
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  };
  for (const NamedRun& run : runs) {
    const RunInfo& info = run.record->info;
    if (info.command_line.empty()) continue;
    section.blocks.emplace_back(Listing{shell_listing(info.command_line),
                                        fmt::format("The command of {}, started {}", run.name, info.started)});
  }
  for (Table& table : machine_tables(runs)) add(std::move(table));
  if (runs.size() == 1) add(settings_table(runs.front()));
  add(notes_table(runs));
  section.blocks.emplace_back(
      definitions({Term::throughput, Term::skipped_epochs, Term::final_accuracy, Term::test_error, Term::gap,
                   Term::overfitting, Term::global_batch, Term::learning_rate, Term::epoch_time, Term::shares,
                   Term::cpu_use, Term::usage, Term::peak_memory}));
  return section;
}

}  // namespace

Document runs_document(const std::vector<RunRecord>& runs) {
  CONVOY_CHECK(!runs.empty());
  const Runs named = named_runs(runs);
  SectionList sections;
  sections.add(summary_of(named));
  sections.add(run_loss_section(named), "loss and accuracy, since no epoch was finished");
  sections.add(run_accuracy_section(named), "");
  sections.add(run_error_section(named), "");
  sections.add(learning_rate_section(named), "");
  std::optional<Section> usage = named.size() == 1 ? usage_section(named.front()) : std::nullopt;
  if (!usage) usage = run_cpu_use_section(named);
  sections.add(std::move(usage), "CPU use over time, which the record does not tell");
  sections.add(run_shares_section(named), "where the time goes, since no step was recorded");
  if (named.size() == 1) sections.add(class_accuracy_section(named.front()), "");
  Document document{.title = named.size() == 1 ? "Run " + named.front().name : "Comparison of runs",
                    .subtitle = named.size() == 1 ? state_text(runs.front()) : count_text(std::ssize(named), "runs"),
                    .sections = sections.take()};
  document.sections.push_back(measured_section(named));
  return document;
}

Document runs_and_studies_document(const std::vector<RunRecord>& runs,
                                   const std::vector<study::StudyAnalysis>& studies) {
  CONVOY_CHECK(!runs.empty() && !studies.empty());
  std::vector<OverlaidRun> overlaid;
  for (const NamedRun& run : named_runs(runs)) overlaid.push_back({run.name, run.measures});
  Document document{
      .title = "Runs and studies together",
      .subtitle = fmt::format("{}, {}", count_text(std::ssize(runs), "runs"),
                              studies.size() == 1 ? "a study" : fmt::format("{} studies", studies.size())),
      .sections = overlaid_sections(studies, overlaid)};
  add_part(document, runs_document(runs), runs.size() == 1 ? "Run" : "Runs", "runs-");
  Document of_studies = studies.size() == 1 ? study_document(studies.front()) : comparison_document(studies);
  add_part(document, std::move(of_studies), studies.size() == 1 ? "Study" : "Studies", "studies-");
  return document;
}

}  // namespace convoy::report
