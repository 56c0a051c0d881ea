// The learning-rate range test (Smith 2017) behind `convoy lr-find`: rates that grow exponentially, what the loss does
// meanwhile, when to stop and which rate to suggest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace convoy {

struct LrRangeOptions {
  double first_rate = 1e-6;  // > 0
  double last_rate = 10;     // greater than first_rate
  int steps = 100;           // at least 10
  double smoothing = 0.9;    // share of the past in the smoothed loss, [0, 1): it lags by 1 / (1 - smoothing) steps
  double stop_factor = 4;    // > 1; stop when the smoothed loss exceeds the best so far by this
};

// Losses smoothed exponentially, and divided by the weight they have so far so that the start counts in full.
class SmoothedLoss {
 public:
  explicit SmoothedLoss(double smoothing) : smoothing_(smoothing) {}

  // Takes the next loss and returns the smoothed one.
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

// Holds one test while it runs: while (!test.done()) test.add(<loss of a step at test.next_rate()>);
class LrRangeTest {
 public:
  // Throws UserError naming the option and its range.
  explicit LrRangeTest(const LrRangeOptions& options);

  // All steps are made, or the loss has left: it is not finite, or its smoothed value exceeds the best
  // stop_factor-fold.
  [[nodiscard]] bool done() const { return done_; }

  // The rate of the next step: first_rate in the first, last_rate in the last, the same factor between neighbours.
  [[nodiscard]] double next_rate() const;

  // The loss of that step, taken before its update. Throws UserError when done.
  void add(double loss);

  [[nodiscard]] const std::vector<LrRangePoint>& points() const { return points_; }

  // The rate at which the smoothed loss falls fastest per factor of rate; nothing when it falls by less than a
  // hundredth in all. The first tenth of the steps and all after the best loss are left out: there the slope is noise
  // or the way back.
  [[nodiscard]] std::optional<double> suggestion() const;

 private:
  LrRangeOptions options_;
  SmoothedLoss smoothed_;
  std::vector<LrRangePoint> points_;
  double best_ = 0;
  bool done_ = false;
};

}  // namespace convoy
