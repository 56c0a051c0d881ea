// How a study was measured: everything that a reader needs to trust or repeat it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/record/run_info.h"
#include "convoy/report/document.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// A machine's hardware in words, without the cores that a rank was bound to, which belong to the run: "EPYC 9B45, 64
// hardware threads"; only the model if the record does not have the threads.
[[nodiscard]] std::string machine_text(const HostInfo& host);

// The kinds of machines of each run. Runs on the same hardware get the same text: threads are mentioned only if all
// records have them. Empty for a run without hosts.
[[nodiscard]] std::vector<std::string> machine_texts(std::span<const RunInfo* const> runs);

// The section "measured": command, settings, machine and versions, order of runs, failed runs, notes, definitions.
[[nodiscard]] Section provenance_section(const study::StudyResults& results);

// The warnings, which must be read first. Empty when all is well.
[[nodiscard]] std::vector<Block> state_notices(const study::StudyAnalysis& study);

// The machine, libraries and build of a run; without rows when nothing is known.
[[nodiscard]] Table machine_table(const RunInfo& info);

}  // namespace convoy::report
