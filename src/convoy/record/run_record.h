// A run as its folder tells it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/record/epoch_record.h"
#include "convoy/record/run_info.h"
#include "convoy/record/run_summary.h"
#include "convoy/record/step_record.h"

namespace convoy {

struct RunRecord {
  std::filesystem::path folder;
  RunInfo info;
  std::vector<StepRecord> steps;  // in the order of steps; ranks of one step in any order
  std::vector<EpochRecord> epochs;
  RunSummary summary;
  std::vector<std::string> notes;  // what was unusual but could be read: a last line that was cut short
};

// Reads and checks a run, also one that was killed or still runs. Throws DataError with file and line for what is
// missing or makes no sense, UserError for a record newer than this version of Convoy knows.
[[nodiscard]] RunRecord read_run(const std::filesystem::path& folder);

// Whether the folder holds the record of a run.
[[nodiscard]] bool is_run_folder(const std::filesystem::path& folder);

}  // namespace convoy
