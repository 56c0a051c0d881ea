// Published figures beside what the runs they are said to come from give.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/study_results.h"

namespace convoy::report {

// Nothing when no figures were published. Throws DataError for a file of figures that cannot be read.
[[nodiscard]] std::optional<Section> published_section(const study::StudyResults& results);

}  // namespace convoy::report
