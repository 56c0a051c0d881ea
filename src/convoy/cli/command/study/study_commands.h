// The parts of `convoy study` and its sub-commands.
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
  double estimated_seconds = 0;   // for the whole study; used for the time left until the first run has ended
  bool repeat_disturbed = false;  // repeat runs whose cores others used
  bool json = false;
  std::vector<std::int64_t> predicted_sizes = {};
};

// Reads "--predict 16,32"; an empty text gives no sizes. Throws UserError unless it is a list of positive numbers.
[[nodiscard]] std::vector<std::int64_t> predicted_sizes_from(const std::string& text);

// Adds --predict; `text` must outlive the parser.
void add_predict_flag(CLI::App& command, std::string& text);

// Runs a study to its end, or until it is interrupted, showing its progress; then calls show_results(). Throws
// Interrupted after a signal, and RanksFailed when no run succeeded.
void run_study_to_end(study::StudyFolder& folder, const StudyRunOptions& options);

// Prints a summary of a study's results, or everything as JSON, and writes report.html to its folder.
void show_results(const study::StudyFolder& folder, bool json, const std::vector<std::int64_t>& predicted_sizes = {});

// Adds `convoy study import`: makes a study from logs of other systems.
void add_study_import(CLI::App& study);

}  // namespace convoy::cli
