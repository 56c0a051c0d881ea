// How a quantity (final accuracy, epochs to accuracy, cost) changes as workers are added.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "convoy/study/measure/estimate.h"

namespace convoy::study {

// One run. Workers are at least 1, the value is finite.
struct WorkersValue {
  std::int64_t workers = 1;
  double value = 0;
};

struct WorkerTrend {
  Estimate per_doubling;  // what each doubling of the workers adds
  double at_one_worker = 0;
  std::int64_t observations = 0;
  std::string note;  // why there is no interval; empty when there is one

  // Whether the interval lies on one side of zero: the data show a trend.
  [[nodiscard]] bool is_significant() const;
};

// The least-squares line over log2 of the workers, with the Student-t interval of its slope, which needs two
// observations more than the line has parameters. Nothing with fewer than two different numbers of workers.
[[nodiscard]] std::optional<WorkerTrend> worker_trend(std::span<const WorkersValue> values);

}  // namespace convoy::study
