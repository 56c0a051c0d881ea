// A study made of imported logs: what differs between them is what varies.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/analysis/published.h"
#include "convoy/study/log/imported_log.h"
#include "convoy/study/plan/study_plan.h"
#include "convoy/study/run/study_results.h"

namespace convoy::study {

// In the folder of an imported study: the figures that were published of it.
inline constexpr const char* kPublishedFile = "published.csv";

struct ImportedStudy {
  StudySpec spec;
  std::vector<PlannedRun> runs;  // one for each log, in their order
};

// Settings that all logs share become the study's, others a point's; what only some logs say is kUnknownValue for the
// others, so that they make series of their own. Logs of the same point are its repeats. Names keep logs apart as long
// as one does not say its model, batch or workers.
[[nodiscard]] ImportedStudy imported_study(std::span<const ImportedLog> logs);

// The kind of study whose question the results answer. Of an import: how accuracy grows, where logs tell accuracies of
// the test data and no throughput; which batch to take, where it varies and neither workers nor threads do; else how
// throughput scales. Any other study answers its own.
[[nodiscard]] StudyKind question_of(const StudyResults& results);

// What the logs of an imported study do not say, and what that means for the comparison: a sentence each.
[[nodiscard]] std::vector<std::string> unknown_remarks(const StudyResults& results);

// The published figures beside the study, checked against its runs: against the lines of logs where those are known, as
// that is how such figures are often made, else against epochs. A figure belongs to the point with its workers whose
// settings have every word of its series (names_settings); when several have, it has no data. None when nothing was
// published. Throws DataError for a file that cannot be read.
[[nodiscard]] std::vector<PublishedCheck> check_published(const StudyResults& results);

// Names of networks and machines as people write them: "VGG-16 CPU" is about {"model": "vgg16", "device": "cpu"}.

// Whether every word of `text` is said by a setting. Case, hyphens and underscores make no difference, words such as
// "on" say nothing, and a number may stand apart ("VGG 16", "batch 256"). A model's family stands for its members
// ("VGG" for vgg16), and a member for a model of which only the family is known ("ResNet-34" for resnet).
[[nodiscard]] bool names_settings(std::string_view text, const std::map<std::string, std::string>& settings);

}  // namespace convoy::study
