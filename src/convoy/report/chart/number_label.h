// Numbers as charts show them: short, and in the same form along an axis.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace convoy::report {

// Three significant digits, integers below 100,000 in full: "0.125", "1,234", "1.31 M", "2·10⁻⁵"; "–" for a number that
// is not finite.
[[nodiscard]] std::string number_label(double value);

// Labels with a common unit and as many decimals as are needed to distinguish values that differ by `resolution`, which
// must be positive.
[[nodiscard]] std::vector<std::string> number_labels(std::span<const double> values, double resolution);

}  // namespace convoy::report
