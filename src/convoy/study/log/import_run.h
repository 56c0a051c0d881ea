// Makes the record of a run from another system's log, so that everything that reads runs can read it.
//
// A log of several ranks has several lines about the same epoch, which differ in their seconds alone. The record keeps
// them all: each line is a StepRecord, with the epoch as its one step and its place among the lines of the epoch as the
// rank; each epoch is one EpochRecord, with the seconds of its slowest line. So both readings of such a log are there:
// Convoy's own, samples over the time of the slowest worker, in the epochs (RunMeasures::epoch_throughputs), and the
// mean over lines, as it is often published, in the steps (RunMeasures::line_throughputs). The parts of a step's time
// are not known and are 0, and the samples of a rank are the epoch's over its lines, rounded.
//
// What a log does not say of an epoch is NaN, and samples are 0; an epoch of which only the rate is known has it in
// samples_per_second. The setting `samples` stands for the samples of every epoch whose lines do not say them.
//
// run.json's configuration is {"imported": true, "system": "CNTK", "log": name, settings..., "notes": [...]}.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/record/epoch_record.h"
#include "convoy/record/step_record.h"
#include "convoy/study/log/imported_log.h"

namespace convoy::study {

struct ImportedRecords {
  std::vector<StepRecord> steps;
  std::vector<EpochRecord> epochs;
  std::vector<std::string> notes;  // epochs with another number of lines than the first, or other than the workers
};

// The lines as records. An epoch's loss and accuracy are means over its lines; those that the log does
// not have are NaN. Needs at least one line.
[[nodiscard]] ImportedRecords records_from(const ImportedLog& log);

// Writes the run's folder. Its ranks are the setting `workers` where there is one, else the lines of the first epoch.
// It is completed when the last announced epoch is there, or none was announced, or an evaluation follows; else
// interrupted. Throws UserError when the folder holds a run or `workers` or `samples` is no number, SystemError when it
// cannot be written.
void import_run(const ImportedLog& log, const std::filesystem::path& folder,
                const std::vector<std::string>& command_line);

}  // namespace convoy::study
