// Each rule compared with its naive twin and with numbers worked out by hand.
#include "convoy/optim/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/optim/element_wise_test.h"
#include "convoy/optim/naive_optimizer_test.h"
#include "convoy/optim/random_floats_test.h"

namespace convoy {
namespace {

void expect_stretch(const DecayRanges& ranges, std::size_t offset, bool decays, std::size_t end) {
  EXPECT_EQ(ranges.at(offset).decays, decays) << "at " << offset;
  EXPECT_EQ(ranges.at(offset).end, end) << "at " << offset;
}

TEST(DecayRanges, LeftOutEverythingDecays) {
  const DecayRanges ranges(std::nullopt, 10);
  expect_stretch(ranges, 0, true, 10);
  expect_stretch(ranges, 9, true, 10);
}

TEST(DecayRanges, EmptyNothingDecays) {
  const DecayRanges ranges(std::vector<DecayRange>{}, 10);
  expect_stretch(ranges, 0, false, 10);
  expect_stretch(ranges, 9, false, 10);
}

TEST(DecayRanges, StretchesEndWhereRangesDo) {
  const DecayRanges ranges(
      std::vector<DecayRange>{{.offset = 0, .count = 2}, {.offset = 5, .count = 3}, {.offset = 9, .count = 1}}, 10);
  expect_stretch(ranges, 0, true, 2);
  expect_stretch(ranges, 1, true, 2);
  expect_stretch(ranges, 2, false, 5);
  expect_stretch(ranges, 4, false, 5);
  expect_stretch(ranges, 5, true, 8);
  expect_stretch(ranges, 8, false, 9);
  expect_stretch(ranges, 9, true, 10);
}

TEST(DecayRanges, ThatOverlapOrLeaveTheArenaAreRefused) {
  const auto make = [](std::vector<DecayRange> ranges) { (void)DecayRanges(ranges, 10); };
  EXPECT_NO_THROW(make({{.offset = 1, .count = 2}, {.offset = 3, .count = 7}}));
  EXPECT_THROW(make({{.offset = 1, .count = 3}, {.offset = 3, .count = 1}}), UserError);
  EXPECT_THROW(make({{.offset = 5, .count = 1}, {.offset = 1, .count = 1}}), UserError);
  EXPECT_THROW(make({{.offset = 5, .count = 6}}), UserError);
  EXPECT_THROW(make({{.offset = 11, .count = 0}}), UserError);
  EXPECT_THROW(make({{.offset = 5, .count = static_cast<std::size_t>(-3)}}), UserError);
}

constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();

// Epsilon is large, so that adding it in the wrong place would show.
OptimizerOptions lively_options(OptimizerKind kind) {
  return {
      .kind = kind, .momentum = 0.8, .beta1 = 0.85, .beta2 = 0.95, .rho = 0.7, .epsilon = 0.01, .weight_decay = 0.05};
}

void expect_near(const std::vector<float>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 2e-6 * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

class EveryOptimizer : public testing::TestWithParam<std::string> {
 protected:
  static OptimizerOptions options() { return lively_options(optimizer_named(GetParam())); }
};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOptimizer, testing::ValuesIn(element_wise_names()),
                         [](const auto& tested) { return tested.param; });

// Sizes around the chunks that threads take (16384) and around vectors (16).
TEST_P(EveryOptimizer, EqualsTheNaiveRuleAtAnySize) {
  for (const std::size_t count : {1U, 15U, 16U, 17U, 1000U, 16383U, 16384U, 16385U, 32768U, 50001U}) {
    SCOPED_TRACE(count);
    std::vector<float> parameters = random_floats(count, 1);
    NaiveOptimizer naive(options(), parameters, [](std::size_t) { return true; });
    const auto optimizer = make_optimizer(options(), count);
    for (std::uint64_t step = 0; step < 5; ++step) {
      const auto gradients = random_floats(count, 10 + step);
      const double rate = 0.1 / static_cast<double>(1 + step);
      optimizer->begin_step(rate);
      optimizer->update(0, parameters, gradients);
      naive.step(rate, gradients);
    }
    expect_near(parameters, naive.parameters());
  }
}

// The copies are the rounded new parameters however slices are cut, and writing them does not change the parameters.
TEST_P(EveryOptimizer, KeepsCopiesInBf16) {
  constexpr std::size_t kMany = 40001;
  std::vector<float> parameters = random_floats(kMany, 1);
  std::vector<float> without = parameters;
  std::vector<BFloat16> copies(kMany);
  const auto optimizer = make_optimizer(options(), kMany);
  const auto other = make_optimizer(options(), kMany);
  const auto gradients = random_floats(kMany, 10);
  optimizer->begin_step(0.1);
  for (const auto& [offset, count] :
       {std::pair<std::size_t, std::size_t>{0, 17}, {17, 20000}, {20017, kMany - 20017}}) {
    optimizer->update(offset, std::span(parameters).subspan(offset, count), std::span(gradients).subspan(offset, count),
                      1.0F, std::span(copies).subspan(offset, count));
  }
  other->begin_step(0.1);
  other->update(0, without, gradients);
  EXPECT_EQ(parameters, without);
  for (std::size_t i = 0; i < kMany; ++i) ASSERT_EQ(copies[i], to_bfloat16(parameters[i])) << i;
  EXPECT_THROW(optimizer->update(0, parameters, gradients, 1.0F, std::span(copies).first(5)), UserError);
}

// Ranges that cross the chunks of threads, neighbouring ranges and an empty one.
TEST_P(EveryOptimizer, DecaysInItsRangesOnly) {
  constexpr std::size_t kMany = 40000;
  const std::vector<DecayRange> ranges = {{.offset = 3, .count = 1},
                                          {.offset = 4, .count = 30},
                                          {.offset = 50, .count = 0},
                                          {.offset = 16000, .count = 20000},
                                          {.offset = 39999, .count = 1}};
  const auto decays = [&](std::size_t i) { return (i >= 3 && i < 34) || (i >= 16000 && i < 36000) || i == 39999; };
  std::vector<float> parameters = random_floats(kMany, 1);
  NaiveOptimizer naive(options(), parameters, decays);
  const auto optimizer = make_optimizer(options(), kMany, ranges);
  for (std::uint64_t step = 0; step < 3; ++step) {
    const auto gradients = random_floats(kMany, 10 + step);
    optimizer->begin_step(0.1);
    optimizer->update(0, parameters, gradients);
    naive.step(0.1, gradients);
  }
  expect_near(parameters, naive.parameters());
}

TEST_P(EveryOptimizer, AnEmptyListOfRangesIsNoDecay) {
  OptimizerOptions without = options();
  without.weight_decay = 0;
  std::vector<float> a = random_floats(100, 1);
  std::vector<float> b = a;
  const auto empty = make_optimizer(options(), 100, std::vector<DecayRange>{});
  const auto zero = make_optimizer(without, 100);
  for (Optimizer* optimizer : {empty.get(), zero.get()}) {
    optimizer->begin_step(0.1);
    optimizer->update(0, optimizer == empty.get() ? a : b, random_floats(100, 2));
  }
  EXPECT_EQ(a, b);
}

TEST_P(EveryOptimizer, ScalesGradients) {
  for (const float scale : {0.25F, 0.0F}) {
    SCOPED_TRACE(scale);
    std::vector<float> parameters = random_floats(100, 1);
    NaiveOptimizer naive(options(), parameters, [](std::size_t) { return true; });
    const auto optimizer = make_optimizer(options(), 100);
    for (std::uint64_t step = 0; step < 3; ++step) {
      const auto gradients = random_floats(100, 10 + step);
      optimizer->begin_step(0.1);
      optimizer->update(0, parameters, gradients, scale);
      naive.step(0.1, gradients, scale);
    }
    expect_near(parameters, naive.parameters());
  }
}

TEST_P(EveryOptimizer, WithoutScaledGradientAndDecayNothingMoves) {
  OptimizerOptions without = options();
  without.weight_decay = 0;
  const std::vector<float> before = random_floats(100, 1);
  std::vector<float> parameters = before;
  const auto optimizer = make_optimizer(without, 100);
  optimizer->begin_step(0.1);
  optimizer->update(0, parameters, random_floats(100, 2), 0.0F);
  EXPECT_EQ(parameters, before);
}

// The padding of blocked layouts is zero and has no gradient; it must stay zero.
TEST_P(EveryOptimizer, ZeroStaysZero) {
  OptimizerOptions smallest = options();
  smallest.epsilon = std::numeric_limits<float>::min();
  const auto optimizer = make_optimizer(smallest, 100);
  std::vector<float> p(100, 0.0F);
  const std::vector<float> g(100, 0.0F);
  for (int step = 0; step < 3; ++step) {
    optimizer->begin_step(0.1);
    optimizer->update(0, p, g);
  }
  EXPECT_EQ(p, g);
}

TEST_P(EveryOptimizer, TouchesNothingOutsideTheSlice) {
  const std::vector<float> before = random_floats(64, 1);
  std::vector<float> parameters = before;
  const auto optimizer = make_optimizer(options(), 64);
  optimizer->begin_step(0.1);
  optimizer->update(20, std::span(parameters).subspan(20, 17), random_floats(17, 2));
  for (std::size_t i = 0; i < 64; ++i) {
    const bool inside = i >= 20 && i < 37;
    EXPECT_EQ(parameters[i] != before[i], inside) << i;
    for (const OptimizerState& state : optimizer->state()) {
      EXPECT_EQ(state.values[i] != 0, inside) << state.name << " at " << i;
    }
  }
}

// Divergence must not be hidden.
TEST_P(EveryOptimizer, ANonFiniteGradientShows) {
  for (const float bad : {kFloatInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> parameters = {1.0F, 2.0F};
    const auto optimizer = make_optimizer(options(), 2);
    optimizer->begin_step(0.1);
    optimizer->update(0, parameters, std::vector<float>{bad, 0.5F});
    EXPECT_FALSE(std::isfinite(parameters[0]));
    EXPECT_TRUE(std::isfinite(parameters[1]));
  }
}

TEST_P(EveryOptimizer, AnEmptySliceIsNoWork) {
  const auto optimizer = make_optimizer(options(), 16);
  optimizer->begin_step(0.1);
  EXPECT_NO_THROW(optimizer->update(16, {}, {}));
  const auto of_nothing = make_optimizer(options(), 0);
  of_nothing->begin_step(0.1);
  EXPECT_NO_THROW(of_nothing->update(0, {}, {}));
}

TEST_P(EveryOptimizer, SlicesThatDoNotFitAreRefused) {
  const auto optimizer = make_optimizer(options(), 32);
  optimizer->begin_step(0.1);
  std::vector<float> p(16);
  std::vector<float> too_long(33);
  const std::vector<float> g(33);
  EXPECT_THROW(optimizer->update(17, p, std::span(g).first(16)), UserError);
  EXPECT_THROW(optimizer->update(std::numeric_limits<std::size_t>::max() - 8, p, std::span(g).first(16)), UserError);
  EXPECT_THROW(optimizer->update(0, p, std::span(g).first(15)), UserError);
  EXPECT_THROW(optimizer->update(0, too_long, g), UserError);
}

TEST_P(EveryOptimizer, AStepMustBegin) {
  const auto optimizer = make_optimizer(options(), 1);
  std::vector<float> p = {1.0F};
  EXPECT_THROW(optimizer->update(0, p, std::vector<float>{1.0F}), UserError);
  EXPECT_THROW(optimizer->begin_step(-0.1), UserError);
  EXPECT_THROW(optimizer->begin_step(kFloatInfinity), UserError);
  EXPECT_EQ(optimizer->steps(), 0);
  optimizer->begin_step(0);
  EXPECT_EQ(optimizer->steps(), 1);
}

// By hand, as PyTorch computes it: v1 = g, v2 = m v1 + g, v3 = m v2 + g; p falls by rate * v each time.
TEST(Momentum, GathersUndampened) {
  const auto optimizer = make_optimizer({.kind = OptimizerKind::momentum, .momentum = 0.5}, 1);
  std::vector<float> p = {10.0F};
  for (const float expected : {10.0F - 0.5F * 2.0F, 9.0F - 0.5F * 3.0F, 7.5F - 0.5F * 3.5F}) {
    optimizer->begin_step(0.5);
    optimizer->update(0, p, std::vector<float>{2.0F});
    EXPECT_FLOAT_EQ(p[0], expected);
  }
}

// The first step is (1 + m) g, the second g + m (m g + g).
TEST(Nesterov, LooksAheadByTheMomentum) {
  const auto optimizer = make_optimizer({.kind = OptimizerKind::nesterov, .momentum = 0.5}, 1);
  std::vector<float> p = {10.0F};
  for (const float expected : {10.0F - 0.5F * 3.0F, 8.5F - 0.5F * 3.5F}) {
    optimizer->begin_step(0.5);
    optimizer->update(0, p, std::vector<float>{2.0F});
    EXPECT_FLOAT_EQ(p[0], expected);
  }
}

// The decay is part of the gradient, so momentum accumulates it too: with g = 0, v1 = w p0, v2 = m v1 + w p1.
TEST(Momentum, WeightDecayGoesThroughIt) {
  const auto optimizer = make_optimizer({.kind = OptimizerKind::momentum, .momentum = 0.75, .weight_decay = 0.5}, 1);
  std::vector<float> p = {8.0F};
  const double p1 = 8 - 0.125 * 0.5 * 8;
  const double p2 = p1 - 0.125 * (0.75 * 0.5 * 8 + 0.5 * p1);
  for (const double expected : {p1, p2}) {
    optimizer->begin_step(0.125);
    optimizer->update(0, p, std::vector<float>{0.0F});
    EXPECT_NEAR(p[0], expected, 1e-6);
  }
}

// In PyTorch the rate multiplies the velocity when it is used, not when it is accumulated.
TEST(Momentum, ANewLearningRateScalesOldVelocityToo) {
  const auto optimizer = make_optimizer({.kind = OptimizerKind::momentum, .momentum = 0.5}, 1);
  std::vector<float> p = {0.0F};
  optimizer->begin_step(1);
  optimizer->update(0, p, std::vector<float>{4.0F});
  optimizer->begin_step(0.25);
  optimizer->update(0, p, std::vector<float>{0.0F});
  EXPECT_FLOAT_EQ(p[0], -4.0F - 0.25F * 2.0F);
}

// The bias correction makes the first step as long as the rate, whatever the gradient.
TEST(Adam, TheFirstStepIsTheRate) {
  const auto optimizer = make_optimizer({.kind = OptimizerKind::adam}, 3);
  std::vector<float> p = {1.0F, 1.0F, 1.0F};
  optimizer->begin_step(0.01);
  optimizer->update(0, p, std::vector<float>{1e-3F, -5.0F, 1e4F});
  EXPECT_NEAR(p[0], 0.99, 1e-6);
  EXPECT_NEAR(p[1], 1.01, 1e-6);
  EXPECT_NEAR(p[2], 0.99, 1e-6);
}

// Multiplying by 1 - rate * decay, which is 1 in single precision, would lose the decay; subtracting it together with
// the step does not.
TEST(AdamW, ASmallDecayIsNotRoundedAway) {
  const OptimizerOptions options = {.kind = OptimizerKind::adamw, .weight_decay = 1e-2};
  const auto optimizer = make_optimizer(options, 1);
  std::vector<float> p = {1.0F};
  optimizer->begin_step(1.99e-6);
  optimizer->update(0, p, std::vector<float>{1.0F});
  NaiveOptimizer naive({.kind = OptimizerKind::adamw, .epsilon = 1e-8, .weight_decay = 1e-2}, {1.0F},
                       [](std::size_t) { return true; });
  naive.step(1.99e-6, {1.0F});
  EXPECT_EQ(p[0], static_cast<float>(naive.parameters()[0]));
}

TEST(MakeOptimizer, RefusesOptionsOutOfRange) {
  EXPECT_THROW((void)make_optimizer({.kind = OptimizerKind::adam, .beta1 = 1.0}, 4), UserError);
}

TEST(MakeOptimizer, TheDefaultEpsilonsArePyTorchs) {
  for (const auto& [kind, epsilon] : {std::pair(OptimizerKind::adam, 1e-8), std::pair(OptimizerKind::adamw, 1e-8),
                                      std::pair(OptimizerKind::adadelta, 1e-6)}) {
    std::vector<float> a = {1.0F};
    std::vector<float> b = {1.0F};
    const auto given = make_optimizer({.kind = kind, .epsilon = epsilon}, 1);
    const auto left_out = make_optimizer({.kind = kind}, 1);
    given->begin_step(1);
    left_out->begin_step(1);
    given->update(0, a, std::vector<float>{1e-6F});
    left_out->update(0, b, std::vector<float>{1e-6F});
    EXPECT_EQ(a, b);
    EXPECT_NE(a[0], 1.0F);
  }
}

}  // namespace

}  // namespace convoy
