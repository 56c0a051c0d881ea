#include "convoy/study/analysis/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"

namespace convoy::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Four workers on sixteen cores, all of them in use.
Situation on_sixteen_cores(const TimeShares& shares, std::optional<double> efficiency) {
  return {.shares = shares, .workers = 4, .threads = 4, .cores = 16, .efficiency = efficiency};
}

TEST(Verdict, CommunicationWantsLargerBatches) {
  Situation situation = on_sixteen_cores({.compute = 0.7, .exposed_communication = 0.25, .straggler_wait = 0.05}, 0.6);
  situation.hidden_share = 0.4;
  const Verdict verdict = judge(situation);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::communication);
  EXPECT_THAT(verdict.why, AllOf(HasSubstr("70 % computes"), HasSubstr("25 % waits for communication"),
                                 HasSubstr("5 % waits for slower workers"), HasSubstr("Efficiency is 60 %"),
                                 HasSubstr("hides 40 %"), Not(HasSubstr("input"))));
  EXPECT_THAT(verdict.advice,
              AllOf(HasSubstr("larger batch per worker"), HasSubstr("all-reduce"), HasSubstr("fewer workers")));
  ASSERT_TRUE(verdict.free_network_efficiency);
  EXPECT_DOUBLE_EQ(*verdict.free_network_efficiency, 0.8);
  EXPECT_THAT(verdict.free_network, HasSubstr("80 % instead of 60 %"));
}

TEST(Verdict, TwoWorkersAreNotToldToBeFewer) {
  Situation situation = on_sixteen_cores({.compute = 0.5, .exposed_communication = 0.5}, 0.5);
  situation.workers = 2;
  situation.threads = 8;
  EXPECT_THAT(judge(situation).advice, Not(HasSubstr("fewer workers")));
}

TEST(Verdict, AFreeNetworkCannotDoBetterThanLinear) {
  const Verdict verdict = judge(on_sixteen_cores({.compute = 0.7, .exposed_communication = 0.3}, 0.85));
  EXPECT_EQ(verdict.free_network_efficiency, 1.0);
  EXPECT_THAT(verdict.free_network, AllOf(HasSubstr("100 %"), HasSubstr("explains all")));
  // An efficiency above 1 is not reduced to 1.
  EXPECT_EQ(judge(on_sixteen_cores({.compute = 0.9, .exposed_communication = 0.1}, 1.2)).free_network_efficiency, 1.2);
}

TEST(Verdict, WithoutEfficiencyOrOthersThereIsNoFreeNetwork) {
  EXPECT_FALSE(judge(on_sixteen_cores({.compute = 1}, std::nullopt)).free_network_efficiency);
  Situation alone = on_sixteen_cores({.compute = 1}, 1.0);
  alone.workers = 1;
  EXPECT_FALSE(judge(alone).free_network_efficiency);
  EXPECT_EQ(judge(alone).free_network, "");
}

TEST(Verdict, ASingleWorkerIsToldNothingOfCommunication) {
  Situation alone = on_sixteen_cores({.compute = 0.6, .exposed_communication = 0.3, .straggler_wait = 0.1}, {});
  alone.workers = 1;
  alone.threads = 16;
  alone.hidden_share = 0.2;
  const Verdict verdict = judge(alone);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::other);
  EXPECT_THAT(verdict.why, AllOf(HasSubstr("60 % computes"), HasSubstr("40 % is spent between these"),
                                 Not(HasSubstr("communication")), Not(HasSubstr("slower workers"))));
  EXPECT_THAT(verdict.advice, Not(HasSubstr("all-reduce")));
}

TEST(Verdict, StragglersAreToBeFound) {
  const Verdict verdict =
      judge(on_sixteen_cores({.compute = 0.7, .exposed_communication = 0.1, .straggler_wait = 0.2}, 0.7));
  EXPECT_EQ(verdict.bottleneck, Bottleneck::stragglers);
  EXPECT_THAT(verdict.advice, AllOf(HasSubstr("host"), HasSubstr("uneven")));
}

TEST(Verdict, InputWantsThreadsOrAPack) {
  // Efficiency is fine because the base waits just as long; still, a third of the time is lost.
  const Verdict verdict = judge(on_sixteen_cores({.compute = 0.65, .input_wait = 0.35}, 0.99));
  EXPECT_EQ(verdict.bottleneck, Bottleneck::input);
  EXPECT_THAT(verdict.advice, AllOf(HasSubstr("loader"), HasSubstr("pack")));
}

TEST(Verdict, WhatIsNeitherWantsATrace) {
  const Verdict verdict = judge(on_sixteen_cores({.compute = 0.8, .other = 0.2}, 0.8));
  EXPECT_EQ(verdict.bottleneck, Bottleneck::other);
  EXPECT_THAT(verdict.advice, HasSubstr("trace"));
}

TEST(Verdict, ASmallShareMattersOnlyWhereEfficiencyIsLost) {
  const TimeShares shares = {.compute = 0.93, .exposed_communication = 0.07};
  EXPECT_EQ(judge(on_sixteen_cores(shares, 0.95)).bottleneck, Bottleneck::none);
  EXPECT_EQ(judge(on_sixteen_cores(shares, 0.80)).bottleneck, Bottleneck::communication);
}

TEST(Verdict, FineIsFine) {
  const Verdict verdict = judge(on_sixteen_cores({.compute = 0.97, .exposed_communication = 0.03}, 0.96));
  EXPECT_EQ(verdict.bottleneck, Bottleneck::none);
  EXPECT_THAT(verdict.advice, HasSubstr("Nothing"));
}

TEST(Verdict, ComputingThatLosesEfficiencySaysWhere) {
  const Verdict verdict = judge(on_sixteen_cores({.compute = 0.99, .other = 0.01}, 0.6));
  EXPECT_EQ(verdict.bottleneck, Bottleneck::compute);
  EXPECT_THAT(verdict.why, HasSubstr("in computing itself"));
  EXPECT_THAT(verdict.advice, HasSubstr("larger batch per worker"));
}

TEST(Verdict, IdleCoresAreToBeUsedButNotMoreThanThereAre) {
  Situation situation = on_sixteen_cores({.compute = 1}, std::nullopt);
  situation.threads = 1;
  const Verdict verdict = judge(situation);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::compute);
  EXPECT_THAT(verdict.advice,
              AllOf(HasSubstr("12 of 16 cores are idle"), HasSubstr("each worker 4 threads"), HasSubstr("at most 16")));
  // Too few cores are idle for one more thread per worker, but enough for one more worker.
  situation.workers = 7;
  situation.threads = 2;
  EXPECT_THAT(judge(situation).advice, HasSubstr("up to 8 workers"));
  // A single idle core is of no use to workers of three threads.
  situation.workers = 5;
  situation.threads = 3;
  EXPECT_THAT(judge(situation).advice, HasSubstr("Nothing"));
}

TEST(Verdict, TooManyThreadsComeFirst) {
  Situation situation = on_sixteen_cores({.compute = 0.5, .exposed_communication = 0.5}, 0.3);
  situation.threads = 8;
  const Verdict verdict = judge(situation);
  EXPECT_EQ(verdict.bottleneck, Bottleneck::oversubscription);
  EXPECT_THAT(verdict.why, HasSubstr("More threads than cores"));
  EXPECT_THAT(verdict.advice, AllOf(HasSubstr("at most 4 threads"), HasSubstr("16 cores")));
  situation.workers = 20;
  situation.threads = 1;
  EXPECT_THAT(judge(situation).advice, HasSubstr("at most 16 workers"));
  EXPECT_THAT(judge({.shares = {.compute = 1}, .workers = 3, .oversubscribed = true}).advice,
              HasSubstr("fewer threads"));
}

TEST(Verdict, NoWorkersAreRefused) { EXPECT_THROW((void)judge({.workers = 0}), InternalError); }

}  // namespace
}  // namespace convoy::study
