// Published figures beside what the runs they are said to come from give.
#pragma once

#include <optional>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/published.h"

namespace convoy::report {

// Nothing when no figures were published.
[[nodiscard]] std::optional<Section> published_section(const std::vector<study::PublishedCheck>& checks);

}  // namespace convoy::report
