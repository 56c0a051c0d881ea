// Judges from its evaluations whether a run began to memorise its training data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "convoy/study/measure/run_measures.h"

namespace convoy::study {

enum class Overfitting : std::uint8_t {
  unknown,   // too few evaluations, or training or test losses are missing
  not_seen,  // not in these epochs; more of them may show it
  seen,
};

// "unknown", "not seen", "seen"
[[nodiscard]] std::string_view to_text(Overfitting overfitting);

// How many evaluations are averaged, so that a single unlucky one decides nothing.
inline constexpr std::int64_t kOverfittingWindow = 3;
// By how much the test loss must rise.
inline constexpr double kOverfittingRise = 0.05;

struct OverfittingVerdict {
  Overfitting overfitting = Overfitting::unknown;
  std::string why;  // a clause with the numbers that it is based on
};

// It is seen when two things happened between the three successive evaluations with the lowest mean test loss and the
// last three: the mean test loss rose by more than 5 % and the mean training loss of the same epochs fell. Then the two
// groups have no evaluation in common. Needs six evaluations with finite losses. The gap between accuracies is not
// used: training accuracy is measured on augmented samples while the network still changes.
[[nodiscard]] OverfittingVerdict judge_overfitting(std::span<const CurvePoint> curve);

}  // namespace convoy::study
