// Numbers as they stand in charts: short, and alike along an axis.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace convoy::report {

// Three significant digits, integers below 100,000 in full: "0.125", "1,234", "1.31 M", "2·10⁻⁵". Not a number: "–".
[[nodiscard]] std::string number_label(double value);

// Labels with one unit and as many decimals as it takes to tell values apart that differ by `resolution`, which is
// positive.
[[nodiscard]] std::vector<std::string> number_labels(std::span<const double> values, double resolution);

}  // namespace convoy::report
