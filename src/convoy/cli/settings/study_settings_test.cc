#include "convoy/cli/settings/study_settings.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/study/plan/study_plan.h"

namespace convoy::cli {
namespace {

StudyForm small_form() {
  return {.kind = study::StudyKind::scale,
          .main_axis = "workers",
          .axes = {"threads", "allreduce"},
          .defaults = {{"model", "resnet20"}, {"epochs", "4"}, {"workers", "1,2"}},
          .repeats = 3};
}

// The specification of a study with these settings on a machine with that many cores.
study::StudySpec told(const std::map<std::string, std::string>& values, int cores = 4,
                      const StudyForm& form = small_form()) {
  StudySettings settings(form);
  for (const auto& [key, text] : values) {
    const auto found = std::ranges::find(settings.list(), key, &Setting::key);
    if (found == settings.list().end()) throw UserError("no key {}", key);
    found->parse(text);
  }
  return settings.spec(cores, {"convoy"});
}

TEST(StudySettings, WhatHasSeveralValuesVariesAndTheRestIsSet) {
  const study::StudySpec spec = told({{"allreduce", "ring, mpi"}, {"threads", "1"}, {"model", "lenet"}, {"lr", "0.1"}});
  ASSERT_EQ(spec.axes.size(), 2U);
  EXPECT_EQ(spec.axes[0], (study::Axis{"allreduce", {"ring", "mpi"}}));
  EXPECT_EQ(spec.axes[1], (study::Axis{"workers", {"1", "2"}}));
  EXPECT_EQ(spec.settings,
            (std::map<std::string, std::string>{{"epochs", "4"}, {"lr", "0.1"}, {"model", "lenet"}, {"threads", "1"}}));
  EXPECT_EQ(spec.repeats, 3);
}

TEST(StudySettings, TheMainAxisVariesEvenWithOneValue) {
  const study::StudySpec spec = told({{"workers", "2"}});
  ASSERT_EQ(spec.axes.size(), 1U);
  EXPECT_EQ(spec.axes[0], (study::Axis{"workers", {"2"}}));
}

TEST(StudySettings, WorkersGetTheSameThreadsAtEveryPoint) {
  EXPECT_EQ(told({{"workers", "1,2"}}, 4).settings.at("threads"), "2");
  EXPECT_EQ(told({{"workers", "1,4"}}, 4).settings.at("threads"), "1");
  EXPECT_FALSE(told({{"threads", "1,2"}}, 4).settings.contains("threads"));
}

TEST(StudySettings, MoreThreadsThanCoresHaveToBeAskedFor) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"workers", "1,8"}}, 4); }, "--oversubscribe"));
  EXPECT_EQ(study::plan_runs(told({{"workers", "1,8"}, {"oversubscribe", "true"}}, 4)).size(), 6U);
  EXPECT_NO_THROW((void)told({{"workers", "8"}, {"hosts", "a:4,b:4"}}, 4)) << "two hosts like this one";
}

TEST(StudySettings, AnySettingCanVary) {
  const study::StudySpec spec = told({{"vary", "cutout=0,8; optimizer = adam,momentum"}});
  EXPECT_THAT(spec.axes, testing::Contains(study::Axis{"cutout", {"0", "8"}}));
  EXPECT_THAT(spec.axes, testing::Contains(study::Axis{"optimizer", {"adam", "momentum"}}));
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"vary", "cutuot=0,8"}}); }, "cutout"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"vary", "run-dir=a,b"}}); }, "run-dir"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"vary", "cutout"}}); }, "KEY=VALUE"));
}

TEST(StudySettings, ASettingIsGivenOnce) {
  EXPECT_TRUE(throws_with<UserError>(
      [] {
        (void)told({{"vary", "cutout=0,8"}, {"cutout", "4"}});
      },
      "--vary and --cutout both set cutout"));
  EXPECT_TRUE(throws_with<UserError>(
      [] {
        (void)told({{"vary", "cutout=0,8; cutout=4"}});
      },
      "vary names cutout twice"));
}

TEST(StudySettings, WhatUsuallyHasOneValueVariesWhereItHasSeveral) {
  const study::StudySpec spec =
      told({{"model", "lenet,resnet20"}, {"lr", "0.1,0.2"}, {"data", "synthetic:3x8x8,count=4"}});
  EXPECT_THAT(spec.axes, testing::Contains(study::Axis{"model", {"lenet", "resnet20"}}));
  EXPECT_THAT(spec.axes, testing::Contains(study::Axis{"lr", {"0.1", "0.2"}}));
  EXPECT_EQ(spec.settings.at("data"), "synthetic:3x8x8,count=4") << "its commas are its own";
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"lr", "0.1,fast"}}); }, "lr"));
}

TEST(StudySettings, ValuesAreCheckedAtOnce) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"workers", "1,two"}}); }, "workers"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"workers", ","}}); }, "needs a value"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)told({{"price", "-1"}}); }, "--price"));
}

TEST(StudySettings, AStudyInWhichNothingVariesIsNone) {
  StudyForm form = small_form();
  form.kind = study::StudyKind::converge;
  form.main_axis = "";
  form.defaults.erase("workers");
  EXPECT_TRUE(throws_with<UserError>([&] { (void)told({{"threads", "1"}}, 4, form); }, "nothing varies"));
}

TEST(StudySettings, SharesAndPointsArePercent) {
  StudyForm form = small_form();
  form.kind = study::StudyKind::converge;
  const study::StudySpec spec = told({{"target", "90"}, {"stable-within", "1"}}, 4, form);
  EXPECT_DOUBLE_EQ(spec.target_accuracy, 0.9);
  EXPECT_DOUBLE_EQ(spec.stable_within, 0.01);
}

}  // namespace
}  // namespace convoy::cli
