// Checks whether published figures follow from the runs they are said to come from.
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
  std::string size_key = "workers";  // or "batch", "threads": what `size` is
  std::int64_t size = 1;
  Statistic statistic = Statistic::mean;
  std::string text;         // as printed: "9.63%"
  double value = 0;         // in the unit of the text: 9.63
  double last_digit = 0;    // the unit of the last printed digit: 0.1 for 21.2
  bool is_percent = false;  // in percent of the mean
};

// Reads the columns series, workers (or batch, or threads), statistic and value, as people write them: "CV", "Std.
// dev.", "CV (%)"; "1,628.9", "9.63%". A deviation in percent is a CV, and a CV above 1 is in percent even without a
// percent sign. Throws DataError with name and line, also for a mean or median in percent.
[[nodiscard]] std::vector<PublishedFigure> parse_published(std::string_view text, const std::string& name);

enum class Agreement : std::uint8_t {
  follows,  // within half a unit of the last printed digit
  cut,      // less than one unit below: digits were cut off instead of rounded
  differs,
  no_data,  // nothing was computed for it, or it is the spread of a single value
  several,  // it matches several points
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

// Compares the figure with what was computed for the points that it matches; there should be exactly one.
[[nodiscard]] PublishedCheck check_published(const PublishedFigure& figure, std::span<const Summary> computed);

}  // namespace convoy::study
