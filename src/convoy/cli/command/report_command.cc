#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/command/report_files.h"
#include "convoy/cli/command/study/study_commands.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/record/run_record.h"
#include "convoy/report/render/document_files.h"
#include "convoy/report/render/renderers.h"
#include "convoy/report/run/run_document.h"
#include "convoy/report/study/study_document.h"
#include "convoy/study/analysis/study_analysis.h"
#include "convoy/study/run/study_folder.h"
#include "convoy/study/run/study_results.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

struct ReportFlags {
  std::vector<std::string> folders;
  std::string out;
  std::string format = "html";
  std::string predict;
  bool json = false;
};

report::Document document_of(const std::vector<std::string>& folders, const std::vector<std::int64_t>& predicted) {
  std::vector<study::StudyAnalysis> studies;
  std::vector<RunRecord> runs;
  for (const std::string& folder : folders) {
    if (study::is_study_folder(folder)) {
      const study::StudyFolder opened = study::StudyFolder::open(folder);
      for (const std::string& note : opened.notes()) print_note(note);
      studies.push_back(study::analyse(study::read_results(opened), predicted));
    } else if (is_run_folder(folder)) {
      runs.push_back(read_run(folder));
      for (const std::string& note : runs.back().notes) print_note(note);
    } else {
      throw DataError("{} holds neither a study nor a run", folder);
    }
  }
  if (!studies.empty() && !runs.empty()) return report::runs_and_studies_document(runs, studies);
  if (studies.empty()) return report::runs_document(runs);
  return studies.size() == 1 ? report::study_document(studies.front()) : report::comparison_document(studies);
}

std::vector<report::NamedFile> all_files(const fs::path& name, const report::Document& document) {
  std::vector<report::NamedFile> files = {{name.filename().string(), report::to_markdown(document)}};
  for (report::NamedFile& file : report::to_svg_files(document)) files.push_back(std::move(file));
  for (report::NamedFile& file : report::to_csv_files(document)) files.push_back(std::move(file));
  return files;
}

// A page or a text is one file; figures and tables are written to a folder.
void write_report(const ReportFlags& flags, const report::Document& document) {
  if (flags.json) {
    fmt::print("{}", report::to_json_text(document));
    return;
  }
  const auto out = [&](const char* otherwise) { return fs::path(flags.out.empty() ? otherwise : flags.out); };
  fs::path written;
  if (flags.format == "html") {
    written = out("report.html");
    write_report_files(written.parent_path(), {{written.filename().string(), report::to_html(document)}});
  } else if (flags.format == "md") {
    written = out("report.md");
    write_report_files(written.parent_path(), all_files(written, document));
  } else if (flags.format == "svg") {
    write_report_files(written = out("report"), report::to_svg_files(document));
  } else if (flags.format == "csv") {
    write_report_files(written = out("report"), report::to_csv_files(document));
  } else {
    throw UserError("--format is html, md, csv or svg, got {}", flags.format);
  }
  fmt::print("{}\n", printable_text(written.string()));
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("report", "Write a report of studies and runs, several of them side by side");
  const auto flags = std::make_shared<ReportFlags>();
  command->add_option("STUDY|RUN", flags->folders, "Folders of studies and of runs; curves of all are drawn together")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--out", flags->out,
                   "File to write, a folder for csv and svg; report.html if left out. What Convoy did not write stays")
      ->type_name("PATH");
  command
      ->add_option("--format", flags->format,
                   "html, one file that needs nothing else; md, with its figures and tables beside it; csv; svg")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_flag("--json", flags->json,
                    "Print the tables and the numbers of the figures as one JSON object, and write nothing");
  command->footer(
      "Examples:\n"
      "  convoy report studies/2026-11-16T0312-resnet20-synthetic --out scaling.html\n"
      "  convoy report runs/first runs/second --format md --out compare/report.md\n"
      "  convoy report runs/baseline studies/augmented --out together.html");
  add_predict_flag(*command, flags->predict);
  command->callback(
      [flags] { write_report(*flags, document_of(flags->folders, predicted_sizes_from(flags->predict))); });
}

}  // namespace convoy::cli
