// Reads what CNTK prints during training.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Reads `Finished Epoch[e of E]: [Training] loss = L * n, metric = M% * n T s (S samples/s);`, where n is the samples
// of all ranks and the metric is the classification error, one line for each epoch and rank; `Finished Evaluation [k]:
// ...` as the test error after the last epoch before it; `Training P parameters in T parameter tensors.` as the setting
// `parameters`; and `Minibatch[a-b]: loss = L * n, ...` as a batch of n / (b - a + 1), if neither name nor command says
// one. Lines may have been pasted into a report (log_text.h), wrapped at a blank, or joined on one line. Other lines
// are skipped and counted in a note. Throws DataError with name and line for one of these lines that cannot be
// understood, for an epoch after a later one of its run (log_runs.h), and when there is no epoch.
[[nodiscard]] std::vector<ImportedLog> parse_cntk_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
