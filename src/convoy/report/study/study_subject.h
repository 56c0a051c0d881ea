// What a study is about, in a few words.
#pragma once

#include <string>
#include <vector>

#include "convoy/study/run/study_results.h"

namespace convoy::report {

// The different values of a setting over the points, sorted with numbers as numbers; empty if neither a point nor the
// study has the setting.
[[nodiscard]] std::vector<std::string> values_of(const study::StudyResults& results, const std::string& key);

// "resnet20 on cifar10", "3 models on cifar10"; empty when neither is known.
[[nodiscard]] std::string subject_text(const study::StudyResults& results);

// "Scaling of resnet20 on cifar10"
[[nodiscard]] std::string study_title(const study::StudyResults& results);

// "12 runs of 5 points, 1 failed"
[[nodiscard]] std::string runs_text(const study::StudyResults& results);

}  // namespace convoy::report
