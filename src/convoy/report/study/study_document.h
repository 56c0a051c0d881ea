// The report of one study, whatever its kind.
#pragma once

#include "convoy/report/document.h"
#include "convoy/study/study_results.h"

namespace convoy::report {

// The first section has the id "summary" and answers the study's question; the last is "measured". An incomplete study
// says so first. Throws DataError where a point's numbers are none.
[[nodiscard]] Document study_document(const study::StudyResults& results);

}  // namespace convoy::report
