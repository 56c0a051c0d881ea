// How a study was measured: everything a reader needs to trust or repeat it.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// Section "measured": command, settings, machine and versions, order of runs, failed runs, notes, definitions.
[[nodiscard]] Section provenance_section(const study::StudyResults& results);

// The warnings, which have to be read before all else. Empty when all is well.
[[nodiscard]] std::vector<Block> state_notices(const study::StudyAnalysis& study);

// The machine, libraries and build of a run; without rows when nothing is known.
[[nodiscard]] Table machine_table(const RunInfo& info);

}  // namespace convoy::report
