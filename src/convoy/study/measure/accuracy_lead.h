// Which point is the most accurate, where the runs and the test data tell.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "convoy/study/measure/test_data.h"

namespace convoy::study {

// A point, with the accuracy of each of its runs.
struct PointAccuracy {
  std::vector<double> runs;           // may be empty: then it takes no part
  std::optional<TestData> test_data;  // absent when not known
};

struct AccuracyLead {
  std::size_t best = 0;           // the highest mean; of equals the first
  std::vector<std::size_t> ties;  // others that may be as accurate, the next best first
  bool at_chance = false;         // even the best may have guessed
};

// Another point ties with the best where both have repeats and the 95 % interval of the difference (difference.h) holds
// zero; otherwise where they differ by less than the test data can tell. Without repeats and test data only equals tie.
// Nothing without any accuracy.
[[nodiscard]] std::optional<AccuracyLead> lead_by_accuracy(std::span<const PointAccuracy> points);

}  // namespace convoy::study
