// What can be said of a study before any of it runs: points that cannot work, and how long it may take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/run/settings/train_settings.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::cli {

// Points of a study that cannot work, found before any of it runs.
struct ImpossiblePoint {
  std::string point;   // "batch 1024, workers 2"
  std::string reason;  // as `convoy train` would say it
};

// Plans a run of every point as `convoy train` would: opens its data, builds its network, checks its settings, and
// estimates the memory that its workers take on a host, of which `memory_bytes` are there (0: not known). Throws
// DataError for data that is missing, which is no point's fault.
[[nodiscard]] std::vector<ImpossiblePoint> impossible_points(const study::StudySpec& spec, std::int64_t memory_bytes);

// Throws UserError that lists them.
void require_possible(const study::StudySpec& spec, std::int64_t memory_bytes);

struct StudyEstimate {
  double seconds = 0;
  double gflops = 0;  // of one core, assumed for training
};

// From the network's arithmetic, the samples, and the rate of a matrix product, measured now. Good to a factor of two
// or so. `settings` are those of the study's runs; what varies is taken from the specification. Throws what opening
// data and building a network throw.
[[nodiscard]] StudyEstimate estimate_study(const study::StudySpec& spec, const TrainSettings& settings);

}  // namespace convoy::cli
