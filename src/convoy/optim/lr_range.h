// The learning-rate range test (Smith 2017) behind `convoy lr-find`: the rate grows exponentially, the loss is watched,
// and the test decides when to stop and which rate to suggest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace convoy {

struct LrRangeOptions {
  double first_rate = 1e-6;  // > 0
  double last_rate = 10;     // greater than first_rate
  int steps = 100;           // at least 10
  // Share of the past in the smoothed loss, [0, 1); the smoothed loss lags by 1 / (1 - smoothing) steps.
  double smoothing = 0.9;
  double stop_factor = 4;  // > 1; stop when the smoothed loss exceeds this many times the best so far
};

// An exponentially smoothed loss. It is divided by the sum of the weights so far, so that it is not too low at the
// start.
class SmoothedLoss {
 public:
  explicit SmoothedLoss(double smoothing) : smoothing_(smoothing) {}

  // Adds the next loss and returns the smoothed one.
  double add(double loss);

 private:
  double smoothing_;
  double sum_ = 0;
  double weight_ = 0;
};

struct LrRangePoint {
  double rate = 0;
  double loss = 0;
  double smoothed = 0;
};

// One range test: while (!test.done()) test.add(<loss of a step at test.next_rate()>);
class LrRangeTest {
 public:
  // Throws UserError naming the option and its range.
  explicit LrRangeTest(const LrRangeOptions& options);

  // Whether all steps are made or the loss has diverged: it is not finite, or its smoothed value exceeds stop_factor
  // times the best.
  [[nodiscard]] bool done() const { return done_; }

  // The rate of the next step: from first_rate in the first step to last_rate in the last, growing by the same factor
  // each time.
  [[nodiscard]] double next_rate() const;

  // Takes the loss of the step at next_rate(), computed before its update. Throws UserError when done.
  void add(double loss);

  [[nodiscard]] const std::vector<LrRangePoint>& points() const { return points_; }

  // The rate at which the smoothed loss falls fastest per factor of rate; no value when it falls by less than a
  // hundredth overall. The first tenth of the steps, where the slope is noise, and everything after the best loss,
  // where it rises again, are left out.
  [[nodiscard]] std::optional<double> suggestion() const;

 private:
  LrRangeOptions options_;
  SmoothedLoss smoothed_;
  std::vector<LrRangePoint> points_;
  double best_ = 0;
  bool done_ = false;
};

}  // namespace convoy
