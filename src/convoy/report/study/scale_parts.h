// The parts of a scaling study's report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::report {

// The first section of a scaling report: the main numbers, the answer in words, and all points.

// One row for each point, including failed ones.
[[nodiscard]] Table scale_table(const study::ScaleAnalysis& analysis, const study::StudySpec& spec);

[[nodiscard]] Section scale_summary(const study::ScaleAnalysis& analysis, const study::StudySpec& spec);

// The findings of a scaling study in plain words.

// Paragraphs: how throughput grows, weak compared with strong scaling, which all-reduce to use, how many workers pay
// off and why. Questions that the data do not answer are left out.
[[nodiscard]] std::vector<std::string> scale_words(const study::ScaleAnalysis& analysis);

// "Does it pay to add workers?": the steps from each size to the next, measured and as far as a law predicts. No value
// without two sizes.
[[nodiscard]] std::optional<Section> pay_off_section(const study::ScaleAnalysis& analysis);

// Sections of a scaling report that are mostly a figure. No value if there is nothing to draw. If several networks were
// studied, each has its own figure.

// Includes the fitted law of each series, and the ideal if all series have the same base.
[[nodiscard]] std::optional<Section> throughput_section(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> speed_up_section(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> efficiency_section(const study::ScaleAnalysis& analysis);
// Turnaround and step time, if they are known.
[[nodiscard]] std::optional<Section> time_section(const study::ScaleAnalysis& analysis);
// The CV of throughput over sizes; empty if nothing was repeated.
[[nodiscard]] std::vector<Block> cv_figures(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> cost_section(const study::ScaleAnalysis& analysis, const std::string& currency);

// The section on the laws that were fitted to a scaling study, and on their predictions.

// Says why if there is no fit. No value if no series has a measured point.
[[nodiscard]] std::optional<Section> laws_section(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
