// Which words a study's report uses.
#pragma once

#include <vector>

#include "convoy/report/glossary.h"
#include "convoy/study/run/study_results.h"

namespace convoy::report {

// In the order in which a reader meets them.
[[nodiscard]] std::vector<Term> terms_of(const study::StudyResults& results);

}  // namespace convoy::report
