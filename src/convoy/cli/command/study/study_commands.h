// What `convoy study` and its sub-commands are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/study/run/study_folder.h"

namespace CLI {
class App;
}

namespace convoy::cli {

struct StudyRunOptions {
  double estimated_seconds = 0;   // of the whole study, for the time left until the first run has ended
  bool repeat_disturbed = false;  // runs whose cores others used are made again
  bool json = false;
  std::vector<std::int64_t> predicted_sizes = {};
};

// "--predict 16,32": the sizes; empty text gives none. Throws UserError for what is no list of positive numbers.
[[nodiscard]] std::vector<std::int64_t> predicted_sizes_from(const std::string& text);

// Adds --predict; `text` must outlive the parser.
void add_predict_flag(CLI::App& command, std::string& text);

// Runs a study to its end, or until it is interrupted: progress, children, the table and the report. Ends with
// show_results(). Throws Interrupted after a signal, and RanksFailed when no run at all succeeded.
void run_study_to_end(study::StudyFolder& folder, const StudyRunOptions& options);

// Prints the summary of a study's results, or everything as JSON, and writes report.html into its folder.
void show_results(const study::StudyFolder& folder, bool json, const std::vector<std::int64_t>& predicted_sizes = {});

// Adds `convoy study import`: logs of other systems as a study.
void add_study_import(CLI::App& study);

}  // namespace convoy::cli
