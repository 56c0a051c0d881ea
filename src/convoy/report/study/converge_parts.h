// The parts that the report of a convergence study is made of: accuracy and loss over epochs and time, and words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/converge_analysis.h"

namespace convoy::report {

// Mean curves over seeds with their interval. Nothing when no epoch was evaluated in all runs of a point.
[[nodiscard]] std::optional<Section> accuracy_section(const study::ConvergeAnalysis& analysis);
[[nodiscard]] std::optional<Section> error_section(const study::ConvergeAnalysis& analysis);
[[nodiscard]] std::optional<Section> loss_section(const study::ConvergeAnalysis& analysis);

// What hollow marks mean where time is drawn; empty when no point's times are doubtful.
[[nodiscard]] std::string times_hollow_text(const study::ConvergeAnalysis& analysis);

// "workers 2, instances 4"; marks oversubscribed ones.
[[nodiscard]] std::string converge_name(const study::ConvergePoint& point);

// What a convergence study found, in plain words.

// "; may be chance", "; a tie with 2 more": to stand behind the name of the point with the highest accuracy. Empty when
// it is the most accurate beyond doubt.
[[nodiscard]] std::string accuracy_doubt(const study::AccuracyLead& lead);

// Paragraphs: which point is most accurate, which is stable first, which reaches the target first, and what more
// workers do. Those that the data do not answer are left out.
[[nodiscard]] std::vector<std::string> converge_words(const study::StudySpec& spec,
                                                      const study::ConvergeAnalysis& analysis);

}  // namespace convoy::report
