// The curve of a learning-rate range test: on the terminal, as a table of values and as a picture.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "convoy/optim/lr_range.h"

namespace convoy::cli {

// Smoothed loss over rate on a logarithmic scale, in about twenty lines; the suggestion is marked below.
[[nodiscard]] std::string lr_curve_text(std::span<const LrRangePoint> points, std::optional<double> suggestion);

// A CSV table with the columns rate, loss and smoothed.
[[nodiscard]] std::string lr_curve_csv(std::span<const LrRangePoint> points);

// A self-contained SVG picture.
[[nodiscard]] std::string lr_curve_svg(std::span<const LrRangePoint> points, std::optional<double> suggestion,
                                       const std::string& title);

}  // namespace convoy::cli
