// What can be said about a study before it runs: which points cannot work, and how long it may take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/run/settings/train_settings.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::cli {

// A point of a study that cannot work.
struct ImpossiblePoint {
  std::string point;   // "batch 1024, workers 2"
  std::string reason;  // as `convoy train` would give it
};

// Plans a run of every point as `convoy train` would: opens its data, builds its network, checks its settings, and
// estimates the memory that its workers need on a host with `memory_bytes` (0: not known). Throws DataError for missing
// data, which is not the fault of a point.
[[nodiscard]] std::vector<ImpossiblePoint> impossible_points(const study::StudySpec& spec, std::int64_t memory_bytes);

// Throws UserError that lists the impossible points.
void require_possible(const study::StudySpec& spec, std::int64_t memory_bytes);

struct StudyEstimate {
  double seconds = 0;
  double gflops = 0;  // of one core; assumed for training
};

// Estimates from the network's arithmetic, the number of samples, and the rate of a matrix product, which is measured
// now. Accurate to a factor of about two. `settings` are those of the study's runs; what varies is taken from the
// specification. Throws what opening data and building a network throw.
[[nodiscard]] StudyEstimate estimate_study(const study::StudySpec& spec, const TrainSettings& settings);

}  // namespace convoy::cli
