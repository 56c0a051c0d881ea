// A run as its folder tells it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/record/epoch_record.h"
#include "convoy/record/run_info.h"
#include "convoy/record/run_summary.h"
#include "convoy/record/step_record.h"
#include "convoy/record/usage_record.h"

namespace convoy {

struct RunRecord {
  std::filesystem::path folder;
  RunInfo info;
  std::vector<StepRecord> steps;  // in the order of steps; ranks of one step in any order
  std::vector<EpochRecord> epochs;
  std::vector<UsageRecord> usage;  // in the order of steps; earlier records have none
  RunSummary summary;
  std::vector<std::string>
      notes;  // what was damaged and is left out or made up for, a sentence each with file and line
};

// Reads and checks a run, also one that was killed or still runs. Lines that are damaged are left out; a summary that
// is, is made anew from the epochs. Throws DataError with file and line for what cannot be done without, UserError for
// a record newer than this version of Convoy knows.
[[nodiscard]] RunRecord read_run(const std::filesystem::path& folder);

// The same for a run that goes on, which gets a new run.json: of a damaged one `info` is as if nothing had been said.
[[nodiscard]] RunRecord read_run_to_continue(const std::filesystem::path& folder);

// Whether the folder holds the record of a run.
[[nodiscard]] bool is_run_folder(const std::filesystem::path& folder);

}  // namespace convoy
