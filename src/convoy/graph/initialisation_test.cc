#include "convoy/graph/initialisation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Moments {
  double mean;
  double deviation;
  double largest;
};

Moments moments_of(const std::vector<float>& values) {
  double sum = 0;
  double squares = 0;
  double largest = 0;
  for (const float value : values) {
    sum += value;
    squares += double{value} * value;
    largest = std::max(largest, std::abs(double{value}));
  }
  const double mean = sum / static_cast<double>(values.size());
  return {mean, std::sqrt(squares / static_cast<double>(values.size()) - mean * mean), largest};
}

// A network with two convolutions of 128 x 256 x 3 x 3, a dense layer and a batch norm.
class Initialisation : public testing::Test {
 protected:
  Initialisation() {
    Value x = input(graph_, {256, 4, 4});
    x = batch_norm(conv(x, {.out = 128, .kernel = 3, .pad = 1, .name = "a"}), {.name = "bn"});
    dense(conv(x, {.out = 256, .kernel = 3, .groups = 4, .name = "b"}), {.out = 500, .name = "fc"});
  }

  std::vector<float> values(const std::string& name, Initialiser kind, std::uint64_t seed = 1) {
    for (const Parameter& parameter : parameters_of(graph_)) {
      if (parameter.name != name) {
        continue;
      }
      std::vector<float> plain(static_cast<std::size_t>(parameter.shape.count()), NAN);
      initialise(parameter, graph_, kind, seed, plain);
      return plain;
    }
    ADD_FAILURE() << "no parameter " << name;
    return {};
  }

  Graph graph_;
};

// A deviation that is estimated from n normal values is off by about 1 / sqrt(2n), 0.13 % for n = 294,912. The
// tolerance is more than four times that.
constexpr double kTolerance = 0.006;

TEST_F(Initialisation, HeNormal) {
  const double expected = std::sqrt(2.0 / (256 * 9));
  const Moments moments = moments_of(values("a.weight", Initialiser::he_normal));
  EXPECT_NEAR(moments.mean, 0, 0.01 * expected);
  EXPECT_NEAR(moments.deviation, expected, kTolerance * expected);
  EXPECT_GT(moments.largest, 3.5 * expected);
}

TEST_F(Initialisation, CountsFanInPerGroup) {
  const double expected = std::sqrt(2.0 / (32 * 9));
  EXPECT_NEAR(moments_of(values("b.weight", Initialiser::he_normal)).deviation, expected, 2 * kTolerance * expected);
}

TEST_F(Initialisation, LecunNormal) {
  const double expected = std::sqrt(1.0 / (256 * 9));
  EXPECT_NEAR(moments_of(values("a.weight", Initialiser::lecun_normal)).deviation, expected, kTolerance * expected);
}

TEST_F(Initialisation, GaussianIsCaffesFiller) {
  for (const char* name : {"a.weight", "fc.weight"}) {
    EXPECT_NEAR(moments_of(values(name, Initialiser::gaussian)).deviation, 0.01, 2 * kTolerance * 0.01) << name;
  }
  EXPECT_THAT(values("a.bias", Initialiser::gaussian), Each(0.0F));
}

TEST_F(Initialisation, XavierUniform) {
  const double bound = std::sqrt(6.0 / (256 * 9 + 128 * 9));
  const Moments moments = moments_of(values("a.weight", Initialiser::xavier_uniform));
  EXPECT_NEAR(moments.mean, 0, 0.01 * bound);
  EXPECT_NEAR(moments.deviation, bound / std::sqrt(3), kTolerance * bound);
  EXPECT_LE(moments.largest, bound * (1 + 1e-6));
  EXPECT_GT(moments.largest, 0.999 * bound);
}

TEST_F(Initialisation, PytorchUniformFillsBiasesToo) {
  const double bound = 1 / std::sqrt(256.0 * 2 * 2);
  for (const char* name : {"fc.weight", "fc.bias"}) {
    const Moments moments = moments_of(values(name, Initialiser::pytorch_uniform));
    EXPECT_LE(moments.largest, bound * (1 + 1e-6)) << name;
    EXPECT_GT(moments.largest, 0.98 * bound) << name;
    EXPECT_NEAR(moments.deviation, bound / std::sqrt(3), 0.08 * bound) << name;
  }
}

TEST_F(Initialisation, BiasesShiftsAndScalesStartPlain) {
  EXPECT_THAT(values("a.bias", Initialiser::he_normal), Each(0.0F));
  EXPECT_THAT(values("bn.bias", Initialiser::he_normal), Each(0.0F));
  EXPECT_THAT(values("bn.weight", Initialiser::he_normal), Each(1.0F));
  EXPECT_THAT(values("bn.weight", Initialiser::pytorch_uniform), Each(1.0F));
}

TEST_F(Initialisation, DependsOnSeedAndNameAlone) {
  const std::vector<float> first = values("a.weight", Initialiser::he_normal, 7);
  EXPECT_EQ(first, values("a.weight", Initialiser::he_normal, 7));
  EXPECT_NE(first, values("a.weight", Initialiser::he_normal, 8));

  // A parameter of the same shape and name in another network gets the same values; under another name it does not.
  Graph other;
  Value x = input(other, {256, 9, 9});
  conv(conv(x, {.out = 256, .kernel = 3, .name = "z"}), {.out = 128, .kernel = 3, .name = "a"});
  const std::vector<Parameter> parameters = parameters_of(other);
  std::vector<float> plain(first.size());
  initialise(parameters[2], other, Initialiser::he_normal, 7, plain);
  EXPECT_EQ(plain, first);
  plain.resize(static_cast<std::size_t>(parameters[0].shape.count()));
  initialise(parameters[0], other, Initialiser::he_normal, 7, plain);
  plain.resize(first.size());
  EXPECT_NE(plain, first);
}

TEST_F(Initialisation, RefusesABufferOfTheWrongSize) {
  const Parameter parameter = parameters_of(graph_).front();
  std::vector<float> plain(7);
  EXPECT_THAT([&] { initialise(parameter, graph_, Initialiser::he_normal, 1, plain); },
              ThrowsMessage<UserError>(HasSubstr("parameter \"" + parameter.name + "\"")));
}

TEST(InitialiserNames, AreReadBack) {
  ASSERT_EQ(initialiser_names().size(), 5U);
  EXPECT_EQ(initialiser_named("he-normal"), Initialiser::he_normal);
  EXPECT_EQ(initialiser_named("pytorch-uniform"), Initialiser::pytorch_uniform);
  EXPECT_EQ(initialiser_named("gaussian"), Initialiser::gaussian);
  EXPECT_THAT([] { (void)initialiser_named("he"); },
              ThrowsMessage<UserError>(testing::AllOf(HasSubstr("\"he\""), HasSubstr("he-normal, xavier-uniform"))));
}

}  // namespace
}  // namespace convoy
