// Whether published figures follow from the runs they are said to come from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/base/statistics.h"

namespace convoy::study {

enum class Statistic : std::uint8_t { mean, median, deviation, cv };

[[nodiscard]] std::string_view to_text(Statistic statistic);

struct PublishedFigure {
  std::string series;                // "ResNet CPU"
  std::string size_key = "workers";  // or "batch", "threads": what the figure's size is of
  std::int64_t size = 1;
  Statistic statistic = Statistic::mean;
  std::string text;         // as it was printed: "9.63%"
  double value = 0;         // of the text, in its unit: 9.63
  double last_digit = 0;    // the unit of the last printed digit: 0.1 for 21.2
  bool is_percent = false;  // of the mean
};

// Columns series, workers (or batch, or threads), statistic and value, as people write them: "CV", "Std. dev.", "CV
// (%)"; "1,628.9", "9.63%". A deviation in percent is a CV, and so is a CV above 1 without a percent sign. Throws
// DataError with name and line, also for a mean or median in percent.
[[nodiscard]] std::vector<PublishedFigure> parse_published(std::string_view text, const std::string& name);

enum class Agreement : std::uint8_t {
  follows,  // to half a unit of the last printed digit
  cut,      // within one unit, below: digits were cut off and not rounded
  differs,
  no_data,  // nothing was computed for it, or the spread of a single value
  several,  // it fits several points
};

// "follows", "cut", "differs", "no data", "several"
[[nodiscard]] std::string_view to_text(Agreement agreement);

struct PublishedCheck {
  PublishedFigure figure;
  std::optional<double> computed;  // in the unit of the figure
  double tolerance = 0;            // half a unit of the last printed digit
  Agreement agreement = Agreement::no_data;
  std::string text;  // "ResNet CPU, 8 workers, mean: published 88.2, computed 88.43 (+0.3 %), beyond +-0.05"
};

// The figure against what was computed of the points that it fits, which should be one.
[[nodiscard]] PublishedCheck check_published(const PublishedFigure& figure, std::span<const Summary> computed);

}  // namespace convoy::study
