// Makes the record of a run from another system's log, so that everything that reads runs can read it.
//
// A log of several ranks has several lines about the same epoch, which differ only in their seconds. The record keeps
// all of them: each line becomes a StepRecord, with the epoch as its only step and its place among the lines of the
// epoch as the rank. Each epoch becomes one EpochRecord, with the seconds of its slowest line. So both interpretations
// of such a log are available: in the epochs Convoy's own, samples divided by the time of the slowest worker
// (RunMeasures::epoch_throughputs), and in the steps the mean over lines, which is often published
// (RunMeasures::line_throughputs). The parts of a step's time are not known and are 0; the samples of a rank are the
// epoch's divided by its lines, rounded.
//
// What a log does not say about an epoch is NaN, and samples are 0. If only the rate of an epoch is known, it is in
// samples_per_second. The setting `samples` gives the samples of every epoch whose lines do not say them.
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
  // Epochs whose number of lines differs from that of the first or from the number of workers.
  std::vector<std::string> notes;
};

// The lines as records. Loss and accuracy of an epoch are means over its lines; NaN if the log does not have them.
// Needs at least one line.
[[nodiscard]] ImportedRecords records_from(const ImportedLog& log);

// Writes the run's folder. The number of ranks is the setting `workers`, if there is one, otherwise the number of lines
// of the first epoch. The run counts as completed if the last announced epoch is there, none was announced, or an
// evaluation follows; otherwise as interrupted. Throws UserError when the folder contains a run or `workers` or
// `samples` is not a number, SystemError when it cannot be written.
void import_run(const ImportedLog& log, const std::filesystem::path& folder,
                const std::vector<std::string>& command_line);

}  // namespace convoy::study
