// The report of one run, or of several beside each other.
#pragma once

#include <vector>

#include "convoy/record/run_record.h"
#include "convoy/report/document.h"

namespace convoy::report {

// Needs at least one run. Runs that were cut short, diverged or have no epoch are said to be so and stay in the table;
// runs that cannot be compared (another model, other data) are warned of. The first section is "summary".
[[nodiscard]] Document runs_document(const std::vector<RunRecord>& runs);

}  // namespace convoy::report
