// Runs a study to its end, or until it is interrupted: progress, children, the table and the report.
#pragma once

#include <filesystem>
#include <optional>

#include "convoy/study/study_folder.h"

namespace convoy::cli {

// `estimated_seconds` of the whole study, for the time left until the first run has ended. Prints the summary and
// writes report.html into the folder. Throws Interrupted after a signal, and UserError when no run at all succeeded.
void run_study_to_end(study::StudyFolder& folder, double estimated_seconds);

// Prints the summary of a study's results and writes its report; returns where.
std::filesystem::path report_study(const study::StudyFolder& folder);

}  // namespace convoy::cli
