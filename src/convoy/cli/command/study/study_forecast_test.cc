#include "convoy/cli/command/study/study_forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::cli {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kPlenty = std::int64_t{1} << 40;

study::StudySpec study_over(const std::string& key, std::vector<std::string> values) {
  study::StudySpec spec{.axes = {{key, std::move(values)}},
                        .settings = {{"model", "lenet"},
                                     {"data", "synthetic:1x28x28,count=100"},
                                     {"batch", "50"},
                                     {"threads", "1"},
                                     {"epochs", "1"}},
                        .repeats = 2,
                        .cores = 1000};
  spec.settings.erase(key);
  return spec;
}

TEST(StudyPoints, ThatWorkAreNotListed) {
  EXPECT_TRUE(impossible_points(study_over("batch", {"1", "10", "100"}), kPlenty).empty());
  EXPECT_TRUE(impossible_points(study_over("workers", {"1", "50"}), 0).empty()) << "memory that is not known";
}

TEST(StudyPoints, BatchesLargerThanTheDataCannotWork) {
  const auto points = impossible_points(study_over("batch", {"10", "101", "200"}), kPlenty);
  ASSERT_EQ(points.size(), 2U) << "each once, however often it would be repeated";
  EXPECT_EQ(points[0].point, "batch 101");
  EXPECT_THAT(points[0].reason, HasSubstr("larger than the training data"));
  EXPECT_EQ(points[1].point, "batch 200");
}

TEST(StudyPoints, MoreWorkersThanRowsCannotWork) {
  const auto points = impossible_points(study_over("workers", {"1", "51"}), kPlenty);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].point, "workers 51");
  EXPECT_THAT(points[0].reason, HasSubstr("cannot be shared by 51 workers"));
}

TEST(StudyPoints, MoreMemoryThanThereIsCannotWork) {
  // LeNet's parameters, gradients and velocities alone take 20 MB, and each worker has its own.
  const std::int64_t memory = std::int64_t{60} << 20;
  const auto points = impossible_points(study_over("workers", {"1", "4"}), memory);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].point, "workers 4");
  EXPECT_THAT(points[0].reason, HasSubstr("4 workers would need about"));
  study::StudySpec apart = study_over("workers", {"1", "4"});
  apart.settings["hosts"] = "a:1,b:1,c:1,d:1";
  EXPECT_TRUE(impossible_points(apart, memory).empty()) << "one on each host";
}

TEST(StudyPoints, UnknownNamesCannotWork) {
  const auto points = impossible_points(study_over("model", {"lenet", "lenett"}), kPlenty);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_THAT(points[0].reason, HasSubstr("lenett"));
}

TEST(StudyPoints, AreRefusedWithAList) {
  EXPECT_TRUE(throws_with<UserError>(
      [] {
        require_possible(study_over("batch", {"10", "101", "200"}), kPlenty);
      },
      "2 of 3 points cannot work:\n  batch 101: a batch of 101 is larger"));
  EXPECT_NO_THROW(require_possible(study_over("batch", {"10", "100"}), kPlenty));
}

TEST(StudyPoints, WhatIsWrongWithAllIsSaidOnce) {
  study::StudySpec spec = study_over("batch", {"10", "20"});
  spec.settings["model"] = "lenett";
  try {
    require_possible(spec, kPlenty);
    FAIL() << "nothing was refused";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("points")));
    EXPECT_THAT(error.what(), HasSubstr("lenett"));
  }
}

}  // namespace
}  // namespace convoy::cli
