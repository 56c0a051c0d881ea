#include "convoy/study/analysis/scale_answer.h"

#include <gtest/gtest.h>

#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

Point scaled(const std::string& workers, const std::string& scaling, const std::string& all_reduce) {
  return {{"workers", workers}, {"scaling", scaling}, {"allreduce", all_reduce}};
}

// The series are, in the order of their points: strong ring, strong mpi, weak ring, weak mpi.
StudyResults four_series() {
  StudyResults results;
  results.spec.settings = {{"batch", "64"}};
  results.points = {point_with({{"workers", "1"}}, {run_with(100)}),
                    point_with(scaled("2", "strong", "ring"), {run_with(150)}),
                    point_with(scaled("4", "strong", "ring"), {run_with(280)}),
                    point_with(scaled("2", "strong", "mpi"), {run_with(170)}),
                    point_with(scaled("2", "weak", "ring"), {run_with(190)}),
                    point_with(scaled("2", "weak", "mpi"), {run_with(180)}),
                    point_with(scaled("4", "weak", "mpi"), {run_with(900)}, true)};
  return results;
}

TEST(ScaleAnswer, IsOfPointsOnCoresOfTheirOwn) {
  const ScaleAnalysis analysis = analyse_scaling(four_series());
  ASSERT_TRUE(analysis.answer.fastest);
  EXPECT_EQ(analysis.at(*analysis.answer.fastest).point, scaled("4", "strong", "ring"));
  ASSERT_TRUE(analysis.answer.most_efficient);
  EXPECT_EQ(analysis.at(*analysis.answer.most_efficient).point, scaled("2", "weak", "ring")) << "the base is no answer";
  ASSERT_TRUE(analysis.answer.best_series);
  EXPECT_EQ(analysis.series[*analysis.answer.best_series].values.at("allreduce"), "ring");
}

TEST(ScaleAnswer, LetsTheFastestAllReduceSpeakForTheOthers) {
  const ScaleAnalysis analysis = analyse_scaling(four_series());
  ASSERT_EQ(analysis.answer.leaders.size(), 2U);
  for (const SeriesLeader& leader : analysis.answer.leaders) {
    EXPECT_EQ(analysis.series[leader.series].values.at("allreduce"), "ring");
    EXPECT_EQ(leader.rivals, 2U);
  }
}

TEST(ScaleAnswer, SetsWeakAgainstStrongAtTheLargestSizeThatBothHave) {
  const ScaleAnalysis analysis = analyse_scaling(four_series());
  ASSERT_EQ(analysis.answer.weak_against_strong.size(), 1U);
  const WeakAgainstStrong& both = analysis.answer.weak_against_strong[0];
  EXPECT_EQ(analysis.at(both.strong).point, scaled("2", "strong", "ring"));
  EXPECT_EQ(analysis.at(both.weak).point, scaled("2", "weak", "ring"));
}

TEST(ScaleAnswer, OfNothingIsNothing) {
  const ScaleAnswer answer = answer_scaling({});
  EXPECT_FALSE(answer.fastest);
  EXPECT_FALSE(answer.most_efficient);
  EXPECT_FALSE(answer.best_series);
  EXPECT_TRUE(answer.leaders.empty());
}

StudyResults with_all_reduces(const std::vector<StudyRun>& ring, const std::vector<StudyRun>& mpi) {
  StudyResults results;
  results.points = {point_with({{"workers", "1"}}, {run_with(100), run_with(101)}),
                    point_with({{"workers", "2"}, {"allreduce", "mpi"}}, mpi),
                    point_with({{"workers", "2"}, {"allreduce", "ring"}}, ring)};
  return results;
}

TEST(AllReduceChoice, IsDecidedWhereTheLeadIsMoreThanTheSpread) {
  const ScaleAnalysis apart =
      analyse_scaling(with_all_reduces({run_with(190), run_with(191)}, {run_with(150), run_with(151)}));
  ASSERT_EQ(apart.all_reduces.size(), 1U);
  EXPECT_EQ(apart.all_reduces[0].measured[0].name, "ring");
  EXPECT_EQ(apart.all_reduces[0].size, 2);
  EXPECT_DOUBLE_EQ(apart.all_reduces[0].lead.value, 40);
  EXPECT_TRUE(apart.all_reduces[0].is_decided());
  const ScaleAnalysis close =
      analyse_scaling(with_all_reduces({run_with(180), run_with(200)}, {run_with(175), run_with(195)}));
  EXPECT_TRUE(close.all_reduces[0].is_repeated());
  EXPECT_FALSE(close.all_reduces[0].is_decided());
}

TEST(AllReduceChoice, OfSingleRunsIsNeverDecided) {
  const ScaleAnalysis single = analyse_scaling(with_all_reduces({run_with(190)}, {run_with(100)}));
  ASSERT_EQ(single.all_reduces.size(), 1U);
  EXPECT_FALSE(single.all_reduces[0].is_repeated());
  EXPECT_FALSE(single.all_reduces[0].is_decided());
}

TEST(AllReduceChoice, ComparesAutoWithTheBestOfTheOthers) {
  StudyResults results = with_all_reduces({run_with(190), run_with(191)}, {run_with(150), run_with(151)});
  results.points.push_back(point_with({{"workers", "2"}, {"allreduce", "auto"}}, {run_with(170), run_with(171)}));
  const ScaleAnalysis behind = analyse_scaling(results);
  ASSERT_TRUE(behind.all_reduces[0].automatic);
  EXPECT_EQ(behind.all_reduces[0].automatic->rival, "ring");
  EXPECT_DOUBLE_EQ(behind.all_reduces[0].automatic->lead.value, -20);
  EXPECT_TRUE(behind.all_reduces[0].automatic->is_decided());
  results.points.back() = point_with({{"workers", "2"}, {"allreduce", "auto"}}, {run_with(195)});
  const ScaleAnalysis ahead = analyse_scaling(results);
  EXPECT_EQ(ahead.all_reduces[0].automatic->rival, "ring");
  EXPECT_GT(ahead.all_reduces[0].automatic->lead.value, 0);
  EXPECT_FALSE(ahead.all_reduces[0].automatic->is_decided()) << "measured once";
}

TEST(AllReduceChoice, NeedsTwoThatWereMeasured) {
  EXPECT_TRUE(analyse_scaling(with_all_reduces({run_with(190)}, {failed_run("killed")})).all_reduces.empty());
}

}  // namespace

}  // namespace convoy::study
