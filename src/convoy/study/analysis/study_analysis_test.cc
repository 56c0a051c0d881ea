#include "convoy/study/analysis/study_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

using ::testing::ElementsAre;

TEST(StudyAnalysis, AnswersTheQuestionOfTheKind) {
  const auto index_of = [](StudyKind kind) {
    StudyResults results;
    results.spec.kind = kind;
    return analyse(results).of_kind.index();
  };
  EXPECT_EQ(index_of(StudyKind::scale), KindAnalysis(ScaleAnalysis()).index());
  EXPECT_EQ(index_of(StudyKind::imported), KindAnalysis(ScaleAnalysis()).index());
  EXPECT_EQ(index_of(StudyKind::batch), KindAnalysis(BatchAnalysis()).index());
  EXPECT_EQ(index_of(StudyKind::sweep), KindAnalysis(SweepAnalysis()).index());
  EXPECT_EQ(index_of(StudyKind::converge), KindAnalysis(ConvergeAnalysis()).index());
}

TEST(StudyAnalysis, TakesTheFastestOfThePointsThatAreNotDoubtful) {
  StudyResults results;
  results.points = {point_with({{"workers", "1"}}, {run_with(100)}), point_with({{"workers", "2"}}, {run_with(190)}),
                    point_with({{"workers", "4"}}, {disturbed_run(300)}),
                    point_with({{"workers", "8"}}, {run_with(400)}, true)};
  const StudyAnalysis analysis = analyse(results);
  ASSERT_EQ(analysis.statistics.size(), 4U);
  EXPECT_EQ(analysis.fastest, 1U);
  results.points.resize(1);
  results.points[0].runs = {failed_run("killed")};
  EXPECT_FALSE(analyse(results).fastest);
}

TEST(StudyAnalysis, TakesTheBestLastAccuracyOfRunsThatCount) {
  StudyResults results;
  results.spec.kind = StudyKind::converge;
  results.points = {point_with({{"lr", "1"}}, {run_with(1, {1, 1}, 1, {0.9, 0.5}), run_with(1, {1, 1}, 1, {0.1, 0.6})}),
                    point_with({{"lr", "2"}}, {run_with(1, {1, 1}, 1, {0.1, 0.8})})};
  EXPECT_EQ(analyse(results).best_accuracy, 0.8);
  results.points[1].runs[0].trouble = "diverged";
  EXPECT_EQ(analyse(results).best_accuracy, 0.6);
}

TEST(StudyAnalysis, WarnsOfRunsThatAreMissingFailedOrDisturbed) {
  StudyResults results;
  EXPECT_TRUE(analyse(results).warnings.empty());
  results.planned_runs = 5;
  results.ended_runs = 3;
  results.failed_runs = 1;
  results.disturbed_runs = 1;
  std::vector<WarningKind> kinds;
  for (const StudyWarning& warning : analyse(results).warnings) kinds.push_back(warning.kind);
  EXPECT_THAT(kinds, ElementsAre(WarningKind::incomplete, WarningKind::failed_runs, WarningKind::disturbed_runs));
}

}  // namespace
}  // namespace convoy::study
