// What an accuracy is a share of, and so how finely it can tell.
#pragma once

#include <cstdint>
#include <optional>

#include "convoy/record/run_summary.h"

namespace convoy::study {

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

}  // namespace convoy::study
