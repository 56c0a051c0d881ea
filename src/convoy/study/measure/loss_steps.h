// The loss of a run step by step, with when it was reached: what its loss curve is made of.
#pragma once

#include <vector>

#include "convoy/record/run_record.h"

namespace convoy::study {

// The end of one step, all ranks together.
struct LossStep {
  double seconds = 0;  // since training began, evaluations before it included
  double samples = 0;  // trained on since then, with those of this step
  double loss = 0;     // mean over the step's samples; NaN when it diverged
};

// Every step from the first one on. Nothing when the record does not have them all: with a hole, what comes after it
// would stand at a wrong time.
[[nodiscard]] std::vector<LossStep> loss_steps(const RunRecord& run);

}  // namespace convoy::study
