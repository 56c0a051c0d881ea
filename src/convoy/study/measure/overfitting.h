// Whether a run began to learn its training data by heart, as far as its evaluations tell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "convoy/study/measure/run_measures.h"

namespace convoy::study {

enum class Overfitting : std::uint8_t {
  unknown,   // too few evaluations, or no losses of both kinds
  not_seen,  // in these epochs; more of them may show it
  seen,
};

// "unknown", "not seen", "seen"
[[nodiscard]] std::string_view to_text(Overfitting overfitting);

// Evaluations that a mean is taken over, so that one unlucky evaluation decides nothing.
inline constexpr std::int64_t kOverfittingWindow = 3;
// By how much the test loss has to rise.
inline constexpr double kOverfittingRise = 0.05;

struct OverfittingVerdict {
  Overfitting overfitting = Overfitting::unknown;
  std::string why;  // a clause with the numbers it goes by
};

// Seen when, from the three evaluations in a row with the lowest mean test loss to the last three, the mean test loss
// rose by more than 5 % and the mean training loss of the same epochs fell. The two threes share no evaluation where it
// is seen. Needs six evaluations with finite losses. The gap between accuracies plays no part: training accuracy is
// measured on augmented samples while the network still changes.
[[nodiscard]] OverfittingVerdict judge_overfitting(std::span<const CurvePoint> curve);

}  // namespace convoy::study
