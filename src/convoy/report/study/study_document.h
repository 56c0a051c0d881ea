// The report of one study, whatever its kind, and of several.
#pragma once

#include <optional>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/published.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// Published figures beside what the runs they are said to come from give. Nothing when no figures were published.
[[nodiscard]] std::optional<Section> published_section(const std::vector<study::PublishedCheck>& checks);

// The first section has the id "summary" and answers the study's question; the last is "measured". An incomplete study
// says so first. What is concluded is in the analysis; this puts it into words and figures.
[[nodiscard]] Document study_document(const study::StudyAnalysis& study);

// Several studies in one report. Needs at least two studies. The first section, "summary", sets them beside each other
// and warns of what must not be compared; then come the sections of each, with ids that begin with "s1-", "s2-", ...
[[nodiscard]] Document comparison_document(const std::vector<study::StudyAnalysis>& studies);

// The sections of a document as parts of another: ids of sections, tables and figures begin with `prefix`, titles with
// `name`.
void add_part(Document& document, Document part, const std::string& name, const std::string& prefix);

// A run that is drawn beside the points of studies.
struct OverlaidRun {
  std::string name;
  study::RunMeasures measures;
};

// Accuracy, error and loss of all points of all studies, and of single runs, in the same figures. Empty where no epoch
// was evaluated.
[[nodiscard]] std::vector<Section> overlaid_sections(const std::vector<study::StudyAnalysis>& studies,
                                                     const std::vector<OverlaidRun>& runs);

}  // namespace convoy::report
