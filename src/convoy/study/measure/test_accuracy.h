// Accuracies on test data: how finely they can tell, and which point leads by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convoy/record/run_summary.h"

namespace convoy::study {

// What an accuracy is a share of.
struct TestData {
  std::int64_t samples = 0;
  double chance = 0;  // accuracy of always naming the class that is there most often

  bool operator==(const TestData&) const = default;
};

// By the confusion matrix of a run's last evaluation; nothing without one.
[[nodiscard]] std::optional<TestData> test_data_of(const RunSummary& summary);

// Accuracies up to here may be guesses: chance, and what luck with so many samples adds to it in 95 of 100 cases.
[[nodiscard]] double chance_limit(const TestData& data);

// Two accuracies that differ by less are not told apart by so many samples: 1.96 standard errors of the difference of
// two shares.
[[nodiscard]] double accuracy_margin(const TestData& data, double one, double other);

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

// Another point ties with the best where both have repeats and the 95 % interval of the difference (estimate.h) holds
// zero; otherwise where they differ by less than the test data can tell. Without repeats and test data only equals tie.
// Nothing without any accuracy.
[[nodiscard]] std::optional<AccuracyLead> lead_by_accuracy(std::span<const PointAccuracy> points);

}  // namespace convoy::study
