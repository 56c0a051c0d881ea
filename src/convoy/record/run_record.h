// A run, read from its folder.
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
  std::vector<StepRecord> steps;  // in the order of steps; the ranks of a step may come in any order
  std::vector<EpochRecord> epochs;
  std::vector<UsageRecord> usage;  // in the order of steps; earlier records have none
  RunSummary summary;
  std::vector<std::string>
      notes;  // what was damaged and left out or reconstructed: one sentence each, with file and line
};

// Reads and checks a run, even one that was killed or is still running. Damaged lines are left out; a damaged summary
// is made anew from the epochs. Throws DataError with file and line for damage that cannot be repaired, UserError for a
// record that is newer than this version of Convoy.
[[nodiscard]] RunRecord read_run(const std::filesystem::path& folder);

// The same for a run that is about to go on. It will get a new run.json, so a damaged one is no error: `info` is then
// empty.
[[nodiscard]] RunRecord read_run_to_continue(const std::filesystem::path& folder);

// Whether the folder holds the record of a run.
[[nodiscard]] bool is_run_folder(const std::filesystem::path& folder);

}  // namespace convoy
