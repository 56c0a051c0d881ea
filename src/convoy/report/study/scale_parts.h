// The parts that the report of a scaling study is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::report {

// The first section of a scaling report: the numbers a reader came for, the answer in words, and all points.

// A row for each point, the failed ones among them.
[[nodiscard]] Table scale_table(const study::ScaleAnalysis& analysis, const study::StudySpec& spec);

[[nodiscard]] Section scale_summary(const study::ScaleAnalysis& analysis, const study::StudySpec& spec);

// What a scaling study found, in plain words.

// Paragraphs: how throughput grows, weak against strong, which all-reduce, how many workers pay off and why. Those that
// the data do not answer are left out.
[[nodiscard]] std::vector<std::string> scale_words(const study::ScaleAnalysis& analysis);

// "Does it pay to add workers?": from each size to the next, measured and as far as a law predicts it. Nothing without
// two sizes.
[[nodiscard]] std::optional<Section> pay_off_section(const study::ScaleAnalysis& analysis);

// Sections of a scaling report that are mostly a figure. Nothing where there would be nothing to draw. Where several
// networks were studied each has its own figure.

// With the fitted law of each series, and the ideal where all series have the same base.
[[nodiscard]] std::optional<Section> throughput_section(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> speed_up_section(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> efficiency_section(const study::ScaleAnalysis& analysis);
// Turnaround and step time, each where it is known.
[[nodiscard]] std::optional<Section> time_section(const study::ScaleAnalysis& analysis);
// The CV of throughput over sizes; empty where nothing was repeated.
[[nodiscard]] std::vector<Block> cv_figures(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> cost_section(const study::ScaleAnalysis& analysis, const std::string& currency);

// The section of the laws fitted to a scaling study, and what they predict.

// Says why where there is no fit. Nothing when no series has a measured point.
[[nodiscard]] std::optional<Section> laws_section(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
