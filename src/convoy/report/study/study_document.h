// The report on one study of any kind, and on several.
#pragma once

#include <optional>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/published.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// Published figures beside what the runs give from which they are said to come. No value if no figures were published.
[[nodiscard]] std::optional<Section> published_section(const std::vector<study::PublishedCheck>& checks);

// The first section has the id "summary" and answers the study's question; the last is "measured". An incomplete study
// says so first. All conclusions come from the analysis; this only puts them into words and figures.
[[nodiscard]] Document study_document(const study::StudyAnalysis& study);

// Several studies, at least two, in one report. The first section, "summary", shows them side by side and warns of what
// must not be compared; then come the sections of each, with ids that begin with "s1-", "s2-", ...
[[nodiscard]] Document comparison_document(const std::vector<study::StudyAnalysis>& studies);

// Adds the sections of a document to another: ids of sections, tables and figures get `prefix`, titles get `name`.
void add_part(Document& document, Document part, const std::string& name, const std::string& prefix);

// A run that is drawn beside the points of studies.
struct OverlaidRun {
  std::string name;
  study::RunMeasures measures;
};

// Accuracy, error and loss of all points of all studies and of single runs, in the same figures. Empty if no epoch was
// evaluated.
[[nodiscard]] std::vector<Section> overlaid_sections(const std::vector<study::StudyAnalysis>& studies,
                                                     const std::vector<OverlaidRun>& runs);

}  // namespace convoy::report
