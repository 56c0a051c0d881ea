// How a study was measured: everything a reader needs to trust or repeat it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/record/run_info.h"
#include "convoy/report/document.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// A machine in words, by its hardware: the cores that a rank was bound to are a matter of the run.
// "EPYC 9B45, 64 hardware threads"; the model alone where the record does not tell the threads.
[[nodiscard]] std::string machine_text(const HostInfo& host);

// The kinds of machines of each run, so that runs on the same hardware have the same text: threads are named only where
// all records tell them. Empty for a run without hosts.
[[nodiscard]] std::vector<std::string> machine_texts(std::span<const RunInfo* const> runs);

// Section "measured": command, settings, machine and versions, order of runs, failed runs, notes, definitions.
[[nodiscard]] Section provenance_section(const study::StudyResults& results);

// The warnings, which have to be read before all else. Empty when all is well.
[[nodiscard]] std::vector<Block> state_notices(const study::StudyAnalysis& study);

// The machine, libraries and build of a run; without rows when nothing is known.
[[nodiscard]] Table machine_table(const RunInfo& info);

}  // namespace convoy::report
