#include "convoy/optim/sgd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/rng.h"

namespace convoy {
namespace {

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = rng.normal();
  }
  return values;
}

// The rule of PyTorch's SGD (dampening 0, no Nesterov), element by element in double precision.
class NaiveSgd {
 public:
  NaiveSgd(const std::vector<float>& parameters, const SgdOptions& options)
      : parameters_(parameters.begin(), parameters.end()), velocity_(parameters.size(), 0.0), options_(options) {}

  void step(const std::vector<float>& gradients) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const double gradient = gradients[i] + static_cast<double>(options_.weight_decay) * parameters_[i];
      velocity_[i] = static_cast<double>(options_.momentum) * velocity_[i] + gradient;
      parameters_[i] -= static_cast<double>(options_.learning_rate) * velocity_[i];
    }
  }

  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }

 private:
  std::vector<double> parameters_;
  std::vector<double> velocity_;
  SgdOptions options_;
};

void expect_near(const std::vector<float>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 2e-6 * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

// Around the pieces that threads take (16384) and around vectors (16).
TEST(Sgd, EqualsTheNaiveRuleAtAnySize) {
  const SgdOptions options{.learning_rate = 0.1F, .momentum = 0.9F, .weight_decay = 0.01F};
  for (const std::size_t count : {1U, 15U, 16U, 17U, 1000U, 16383U, 16384U, 16385U, 32768U, 50001U}) {
    SCOPED_TRACE(count);
    std::vector<float> parameters = random_floats(count, 1);
    NaiveSgd naive(parameters, options);
    Sgd sgd(count, options);
    for (std::uint64_t step = 0; step < 4; ++step) {
      const auto gradients = random_floats(count, 10 + step);
      sgd.update(0, parameters, gradients);
      naive.step(gradients);
    }
    expect_near(parameters, naive.parameters());
  }
}

TEST(Sgd, AnEmptySliceIsNoWork) {
  Sgd sgd(16, {});
  EXPECT_NO_THROW(sgd.update(16, {}, {}));
}

// Slices come as backward finishes them or as they arrive from other ranks: the result must be the same to the bit.
TEST(Sgd, SlicesInAnyOrderGiveTheSame) {
  const SgdOptions options{.learning_rate = 0.05F, .momentum = 0.9F, .weight_decay = 1e-4F};
  constexpr std::size_t kCount = 40000;
  const std::vector<std::size_t> cuts = {0, 5, 21, 16389, 16400, 39999, kCount};
  std::vector<float> whole = random_floats(kCount, 2);
  std::vector<float> pieces = whole;
  Sgd whole_sgd(kCount, options);
  Sgd piece_sgd(kCount, options);
  std::vector<std::size_t> order(cuts.size() - 1);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const auto gradients = random_floats(kCount, 20 + step);
    whole_sgd.update(0, whole, gradients);
    for (const std::size_t i : order) {
      const std::size_t length = cuts[i + 1] - cuts[i];
      piece_sgd.update(cuts[i], std::span(pieces).subspan(cuts[i], length),
                       std::span(gradients).subspan(cuts[i], length));
    }
    std::ranges::next_permutation(order);
    std::ranges::reverse(order);
  }
  EXPECT_EQ(whole, pieces);
}

// Worked by hand as PyTorch does it: v1 = g, v2 = m v1 + g, v3 = m v2 + g; p falls by rate * v each time.
TEST(Sgd, MomentumGathersUndampened) {
  Sgd sgd(1, {.learning_rate = 0.5F, .momentum = 0.5F});
  std::vector<float> p = {10.0F};
  const std::vector<float> g = {2.0F};
  sgd.update(0, p, g);
  EXPECT_FLOAT_EQ(p[0], 10.0F - 0.5F * 2.0F);
  sgd.update(0, p, g);
  EXPECT_FLOAT_EQ(p[0], 9.0F - 0.5F * 3.0F);
  sgd.update(0, p, g);
  EXPECT_FLOAT_EQ(p[0], 7.5F - 0.5F * 3.5F);
}

// The decay is part of the gradient, so that momentum gathers it too: with g = 0, v1 = w p0, v2 = m v1 + w p1.
TEST(Sgd, WeightDecayGoesThroughMomentum) {
  constexpr float kRate = 0.125F;
  constexpr float kMomentum = 0.75F;
  constexpr float kDecay = 0.5F;
  Sgd sgd(1, {.learning_rate = kRate, .momentum = kMomentum, .weight_decay = kDecay});
  std::vector<float> p = {8.0F};
  const std::vector<float> g = {0.0F};
  const double p1 = 8 - kRate * kDecay * 8;
  const double v2 = kMomentum * kDecay * 8 + kDecay * p1;
  const double p2 = p1 - kRate * v2;
  const double p3 = p2 - kRate * (kMomentum * v2 + kDecay * p2);
  sgd.update(0, p, g);
  EXPECT_NEAR(p[0], p1, 1e-6);
  sgd.update(0, p, g);
  EXPECT_NEAR(p[0], p2, 1e-6);
  sgd.update(0, p, g);
  EXPECT_NEAR(p[0], p3, 1e-6);
}

// In PyTorch the rate multiplies the velocity when it is used, not when it is gathered.
TEST(Sgd, ANewLearningRateScalesOldMomentumToo) {
  Sgd sgd(1, {.learning_rate = 1.0F, .momentum = 0.5F});
  std::vector<float> p = {0.0F};
  sgd.update(0, p, std::vector<float>{4.0F});
  sgd.set_learning_rate(0.25F);
  sgd.update(0, p, std::vector<float>{0.0F});
  EXPECT_FLOAT_EQ(p[0], -4.0F - 0.25F * 2.0F);
}

TEST(Sgd, WithoutMomentumItIsPlainDescent) {
  Sgd sgd(2, {.learning_rate = 0.1F, .momentum = 0.0F});
  std::vector<float> p = {1.0F, -1.0F};
  for (int step = 0; step < 3; ++step) {
    sgd.update(0, p, std::vector<float>{1.0F, 2.0F});
  }
  EXPECT_NEAR(p[0], 1 - 0.3, 1e-6);
  EXPECT_NEAR(p[1], -1 - 0.6, 1e-6);
}

// Padding of blocks is zero, has no gradient, and must stay zero.
TEST(Sgd, ZeroStaysZero) {
  Sgd sgd(100, {.learning_rate = 0.1F, .momentum = 0.9F, .weight_decay = 0.1F});
  std::vector<float> p(100, 0.0F);
  const std::vector<float> g(100, 0.0F);
  sgd.update(0, p, g);
  sgd.update(0, p, g);
  EXPECT_EQ(p, g);
}

TEST(Sgd, SlicesThatDoNotFitAreADefect) {
  Sgd sgd(32, {});
  std::vector<float> p(16);
  const std::vector<float> g(16);
  EXPECT_THROW(sgd.update(17, p, g), InternalError);
  EXPECT_THROW(sgd.update(0, p, std::span(g).first(15)), InternalError);
}

}  // namespace
}  // namespace convoy
