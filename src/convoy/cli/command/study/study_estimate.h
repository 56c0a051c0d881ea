// How long a study may take, before any of it has run.
#pragma once

#include "convoy/run/settings/train_settings.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::cli {

struct StudyEstimate {
  double seconds = 0;
  double gflops = 0;  // of one core, assumed for training
};

// From the network's arithmetic, the samples, and the rate of a matrix product, measured now. Good to a factor of two
// or so. `settings` are those of the study's runs; what varies is taken from the specification. Throws what opening
// data and building a network throw.
[[nodiscard]] StudyEstimate estimate_study(const study::StudySpec& spec, const TrainSettings& settings);

}  // namespace convoy::cli
