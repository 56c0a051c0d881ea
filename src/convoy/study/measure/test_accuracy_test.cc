#include "convoy/study/measure/test_accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace convoy::study {
namespace {

TEST(TestData, ComesFromTheConfusionMatrix) {
  RunSummary summary;
  EXPECT_FALSE(test_data_of(summary));
  summary.confusion = {{5, 5}, {10, 20}};  // 10 samples of one class, 30 of the other
  EXPECT_EQ(test_data_of(summary), (TestData{.samples = 40, .chance = 0.75}));
  summary.confusion = {{0, 0}, {0, 0}};
  EXPECT_FALSE(test_data_of(summary));
}

TEST(TestData, FewSamplesTellLittle) {
  EXPECT_NEAR(chance_limit({.samples = 100, .chance = 0.1}), 0.1 + 1.96 * 0.03, 1e-9);
  EXPECT_EQ(chance_limit({.samples = 4, .chance = 1}), 1);
  EXPECT_NEAR(accuracy_margin({.samples = 100, .chance = 0.1}, 0.5, 0.5), 1.96 * std::sqrt(0.005), 1e-9);
  EXPECT_EQ(accuracy_margin({.samples = 100, .chance = 0.1}, 1, 1), 0);
}

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TestData kHundred{.samples = 100, .chance = 0.1};
constexpr TestData kMany{.samples = 10000, .chance = 0.1};

TEST(AccuracyLead, SingleRunsTieWithinWhatTheTestDataCanTell) {
  // At 0.9 the margin is 0.083 with 100 samples and 0.0083 with 10000.
  const auto few = lead_by_accuracy(std::vector<PointAccuracy>{{{0.85}, kHundred}, {{0.9}, kHundred}});
  ASSERT_TRUE(few);
  EXPECT_EQ(few->best, 1U);
  EXPECT_THAT(few->ties, ElementsAre(0));
  EXPECT_FALSE(few->at_chance);
  const auto many = lead_by_accuracy(std::vector<PointAccuracy>{{{0.85}, kMany}, {{0.9}, kMany}});
  EXPECT_THAT(many->ties, IsEmpty());
}

TEST(AccuracyLead, RepeatsTieByTheirSpread) {
  const auto wide =
      lead_by_accuracy(std::vector<PointAccuracy>{{{0.80, 0.90, 0.85}, kMany}, {{0.82, 0.92, 0.87}, kMany}});
  EXPECT_EQ(wide->best, 1U);
  EXPECT_THAT(wide->ties, ElementsAre(0));
  const auto narrow =
      lead_by_accuracy(std::vector<PointAccuracy>{{{0.85, 0.851, 0.852}, kHundred}, {{0.90, 0.901, 0.902}, kHundred}});
  EXPECT_THAT(narrow->ties, IsEmpty()) << "runs say more than one evaluation of few samples";
}

TEST(AccuracyLead, EqualsTieAlways) {
  const auto lead = lead_by_accuracy(std::vector<PointAccuracy>{{{0.5}, {}}, {{0.5}, {}}, {{0.4}, {}}});
  EXPECT_EQ(lead->best, 0U);
  EXPECT_THAT(lead->ties, ElementsAre(1));
}

TEST(AccuracyLead, KnowsAGuess) {
  EXPECT_TRUE(lead_by_accuracy(std::vector<PointAccuracy>{{{0.15}, kHundred}})->at_chance);
  EXPECT_FALSE(lead_by_accuracy(std::vector<PointAccuracy>{{{0.15}, kMany}})->at_chance);
  EXPECT_FALSE(lead_by_accuracy(std::vector<PointAccuracy>{{{0.01}, {}}})->at_chance) << "chance is not known";
}

TEST(AccuracyLead, PointsWithoutAccuracyTakeNoPart) {
  EXPECT_FALSE(lead_by_accuracy({}));
  EXPECT_FALSE(lead_by_accuracy(std::vector<PointAccuracy>{{{}, kMany}}));
  EXPECT_EQ(lead_by_accuracy(std::vector<PointAccuracy>{{{}, kMany}, {{0.5}, kMany}})->best, 1U);
}

}  // namespace

}  // namespace convoy::study
