// Whether published figures follow from the runs they are said to come from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convoy/base/statistics.h"

namespace convoy::study {

enum class Statistic : std::uint8_t { mean, median, deviation, cv };

[[nodiscard]] std::string_view to_text(Statistic statistic);

struct PublishedFigure {
  std::string series;  // "ResNet CPU"
  std::int64_t workers = 1;
  Statistic statistic = Statistic::mean;
  double value = 0;
  double last_digit = 0;  // the unit of the last printed digit: 0.1 for 21.2
};

// Columns series, workers, statistic (mean, median, deviation or cv) and value, which may be in percent: "12.5%".
// Throws DataError with name and line.
[[nodiscard]] std::vector<PublishedFigure> parse_published(std::string_view text, const std::string& name);

// What was computed, by series and workers.
using ComputedSummaries = std::map<std::pair<std::string, std::int64_t>, Summary>;

enum class Agreement : std::uint8_t {
  follows,  // to half a unit of the last printed digit
  cut,      // within one unit, below: digits were cut off and not rounded
  differs,
  no_data  // nothing was computed for it, or the spread of a single value
};

struct PublishedCheck {
  PublishedFigure figure;
  std::optional<double> computed;
  double tolerance = 0;  // half a unit of the last printed digit
  Agreement agreement = Agreement::no_data;
  std::string text;  // "ResNet CPU, 8 workers, mean: published 88.2, computed 88.43 (+0.3 %), beyond +-0.05"
};

// One for each figure, in their order.
[[nodiscard]] std::vector<PublishedCheck> check_published(std::span<const PublishedFigure> figures,
                                                          const ComputedSummaries& computed);

}  // namespace convoy::study
