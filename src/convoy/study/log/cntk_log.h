// Reads what CNTK prints while it trains.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Takes `Finished Epoch[e of E]: [Training] loss = L * n, metric = M% * n T s (S samples/s);` with n the samples of all
// ranks and the metric the classification error, one line for each epoch and rank; `Finished Evaluation [k]: ...` as
// the test error after the last epoch before it; `Training P parameters in T parameter tensors.` as the setting
// `parameters`; and `Minibatch[a-b]: loss = L * n, ...` as a batch of n / (b - a + 1), where neither name nor command
// says one. Lines may be pasted into a report (log_text.h), wrapped where there is a blank, or follow each other on one
// line. Other lines are passed over and counted in a note. Throws DataError with name and line for one of these that
// cannot be understood, for an epoch after a later one of its run (log_runs.h), and when no epoch is there.
[[nodiscard]] std::vector<ImportedLog> parse_cntk_log(std::string_view text, const std::string& name);

}  // namespace convoy::study
