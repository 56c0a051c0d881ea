// Points of a study that cannot work, found before any of it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/study/plan/study_spec.h"

namespace convoy::cli {

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

}  // namespace convoy::cli
