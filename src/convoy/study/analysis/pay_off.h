// How many workers (or threads) are worth having, from what was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace convoy::study {

struct ScaleSeries;

// An added worker that brings less than this part of what a worker of the base brings is not worth having.
inline constexpr double kWorthwhile = 0.5;

// From one measured size to a larger one.
struct SizeStep {
  std::int64_t from = 0;
  std::int64_t to = 0;
  double gain = 0;  // throughput added per added worker, over the throughput per worker of the base
};

struct PayOff {
  std::int64_t size = 0;              // the largest that was worth going to from a smaller one that was
  std::optional<SizeStep> last;       // the step to it; absent when it is the base
  std::optional<SizeStep> not_worth;  // the first step beyond it that was measured: too small
  std::int64_t largest_measured = 0;  // that could have been the answer

  // The size whose verdict says what stands in the way of more.
  [[nodiscard]] std::int64_t judged_size() const { return not_worth ? not_worth->to : size; }
};

// A size that is not worth it is passed over: one slow measurement between two good ones does not end the search.
// Nothing without two measured sizes. Nothing when the base was disturbed. Oversubscribed and
// disturbed points do not count: they tell of the cores there are.
[[nodiscard]] std::optional<PayOff> pay_off(const ScaleSeries& series);

// Why pay_off() has no answer, as a clause; empty when it has one.
[[nodiscard]] std::string why_no_pay_off(const ScaleSeries& series);

}  // namespace convoy::study
