// Makes a study from imported logs: the settings in which they differ are its axes.
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

// In the folder of an imported study: the figures that were published about it.
inline constexpr const char* kPublishedFile = "published.csv";

struct ImportedStudy {
  StudySpec spec;
  std::vector<PlannedRun> runs;  // one for each log, in the same order
};

// Settings that all logs share become the study's; others become those of points. A setting that only some logs say is
// kUnknownValue for the others, which thus form series of their own. Logs of the same point are its repeats. Names keep
// logs apart as long as one of them does not say its model, batch or workers.
[[nodiscard]] ImportedStudy imported_study(std::span<const ImportedLog> logs);

// The kind of study whose question the results answer. For an import this is: how accuracy grows, if logs have test
// accuracies but no throughput; which batch to use, if it varies while neither workers nor threads do; otherwise how
// throughput scales. Any other study answers its own question.
[[nodiscard]] StudyKind question_of(const StudyResults& results);

// What the logs of an imported study do not say and what that means for the comparison, one sentence each.
[[nodiscard]] std::vector<std::string> unknown_remarks(const StudyResults& results);

// Compares the published figures beside the study with its runs: with the lines of logs if these are known, since such
// figures are often computed from them, otherwise with epochs. A figure belongs to the point with its number of workers
// whose settings contain every word of its series (names_settings); if several do, it cannot be checked. Empty when
// nothing was published. Throws DataError for a file that cannot be read.
[[nodiscard]] std::vector<PublishedCheck> check_published(const StudyResults& results);

// Recognises names of networks and machines as people write them: "VGG-16 CPU" means {"model": "vgg16", "device":
// "cpu"}.

// Whether every word of `text` is the value of some setting. Case, hyphens and underscores do not matter, words such as
// "on" are ignored, and a number may stand apart ("VGG 16", "batch 256"). A model's family stands for its members
// ("VGG" for vgg16), and a member for a model of which only the family is known ("ResNet-34" for resnet).
[[nodiscard]] bool names_settings(std::string_view text, const std::map<std::string, std::string>& settings);

}  // namespace convoy::study
