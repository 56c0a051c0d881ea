// The parts of a convergence study's report: accuracy and loss over epochs and time, and words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/converge_analysis.h"

namespace convoy::report {

// Mean curves over seeds, with their interval. No value if no epoch was evaluated in all runs of a point.
[[nodiscard]] std::optional<Section> accuracy_section(const study::ConvergeAnalysis& analysis);
[[nodiscard]] std::optional<Section> error_section(const study::ConvergeAnalysis& analysis);
[[nodiscard]] std::optional<Section> loss_section(const study::ConvergeAnalysis& analysis);

// What hollow marks mean in figures over time; empty if no point's times are doubtful.
[[nodiscard]] std::string times_hollow_text(const study::ConvergeAnalysis& analysis);

// "workers 2, instances 4"; also says if the point is oversubscribed.
[[nodiscard]] std::string converge_name(const study::ConvergePoint& point);

// The findings of a convergence study in plain words.

// "; may be chance" or "; a tie with 2 more", to follow the name of the point with the highest accuracy. Empty if it is
// clearly the most accurate.
[[nodiscard]] std::string accuracy_doubt(const study::AccuracyLead& lead);

// Paragraphs: which point is most accurate, which is stable first, which reaches the target first, and what more
// workers change. Questions that the data do not answer are left out.
[[nodiscard]] std::vector<std::string> converge_words(const study::StudySpec& spec,
                                                      const study::ConvergeAnalysis& analysis);

}  // namespace convoy::report
