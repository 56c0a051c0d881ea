// Accuracies on test data: how small a difference they can show, and which point leads by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convoy/record/run_summary.h"

namespace convoy::study {

// The data on which an accuracy was measured.
struct TestData {
  std::int64_t samples = 0;
  double chance = 0;  // accuracy of always predicting the most frequent class

  bool operator==(const TestData&) const = default;
};

// From the confusion matrix of a run's last evaluation; no value without one.
[[nodiscard]] std::optional<TestData> test_data_of(const RunSummary& summary);

// Accuracies up to this one may be guesses: the chance level, plus what luck adds with so many samples in 95 of 100
// cases.
[[nodiscard]] double chance_limit(const TestData& data);

// Accuracies that differ by less cannot be distinguished with so many samples: 1.96 standard errors of the difference
// of two shares.
[[nodiscard]] double accuracy_margin(const TestData& data, double one, double other);

// A point, with the accuracy of each of its runs.
struct PointAccuracy {
  std::vector<double> runs;           // may be empty: then the point is ignored
  std::optional<TestData> test_data;  // absent when not known
};

struct AccuracyLead {
  std::size_t best = 0;           // the one with the highest mean; the first if several are equal
  std::vector<std::size_t> ties;  // others that may be as accurate, the next best first
  bool at_chance = false;         // even the best may have guessed
};

// Another point ties with the best if both have repeats and the 95 % interval of the difference (estimate.h) contains
// zero; otherwise if they differ by less than the test data can show. Without repeats and test data only equal ones
// tie. No value without any accuracy.
[[nodiscard]] std::optional<AccuracyLead> lead_by_accuracy(std::span<const PointAccuracy> points);

}  // namespace convoy::study
