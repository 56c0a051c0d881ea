#include "convoy/study/plan/study_plan.h"

#include <gmock/gmock.h>

#include <set>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

StudySpec scaling(int repeats = 1) {
  return {.kind = StudyKind::scale,
          .axes = {{"workers", {"1", "2", "4"}}, {"scaling", {"weak", "strong"}}, {"allreduce", {"ring", "mpi"}}},
          .settings = {{"model", "lenet"}, {"seed", "10"}},
          .repeats = repeats,
          .cores = 2};
}

std::set<std::string> ids_of(const std::vector<PlannedRun>& runs) {
  std::set<std::string> ids;
  for (const PlannedRun& run : runs) ids.insert(run.id);
  return ids;
}

TEST(StudyPlan, OneWorkerIsTheBaseOfAllSeriesAndRunsOnce) {
  const auto runs = plan_runs(scaling());
  EXPECT_EQ(runs.size(), 1U + 2U * 2U * 2U);
  EXPECT_TRUE(ids_of(runs).contains("workers-1.run-1"));
  EXPECT_TRUE(ids_of(runs).contains("allreduce-ring.scaling-weak.workers-2.run-1"));
}

TEST(StudyPlan, RepeatsAreRoundsInOrdersOfTheirOwn) {
  const auto runs = plan_runs(scaling(3));
  ASSERT_EQ(runs.size(), 27U);
  EXPECT_EQ(ids_of(runs).size(), 27U);
  std::vector<Point> first, second;
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(runs[i].repeat, 1);
    EXPECT_EQ(runs[i + 9].repeat, 2);
    first.push_back(runs[i].point);
    second.push_back(runs[i + 9].point);
  }
  EXPECT_NE(first, second);
  EXPECT_THAT(second, testing::UnorderedElementsAreArray(first));
  EXPECT_EQ(plan_runs(scaling(3)), runs) << "the same each time";
}

TEST(StudyPlan, MarksMoreThreadsThanCores) {
  StudySpec spec = scaling();
  for (const PlannedRun& run : plan_runs(spec)) EXPECT_EQ(run.oversubscribed, run.point.at("workers") == "4") << run.id;
  spec.settings["threads"] = "2";
  for (const PlannedRun& run : plan_runs(spec)) EXPECT_EQ(run.oversubscribed, run.point.at("workers") != "1") << run.id;
}

TEST(StudyPlan, DrawsPointsFromTheGrid) {
  StudySpec spec = scaling(2);
  spec.random_points = 4;
  const auto runs = plan_runs(spec);
  EXPECT_EQ(runs.size(), 8U);
  std::set<Point> points;
  for (const PlannedRun& run : runs) points.insert(run.point);
  EXPECT_EQ(points.size(), 4U) << "the same points in both rounds";
  spec.order_seed = 2;
  std::set<Point> others;
  for (const PlannedRun& run : plan_runs(spec)) others.insert(run.point);
  EXPECT_NE(points, others);
}

TEST(StudyPlan, RunsOfAPointDifferInTheirSeed) {
  const auto runs = plan_runs(scaling(3));
  for (const PlannedRun& run : runs) {
    const auto settings = settings_of(scaling(3), run);
    EXPECT_EQ(settings.at("seed"), std::to_string(9 + run.repeat));
    EXPECT_EQ(settings.at("model"), "lenet");
    EXPECT_EQ(settings.at("workers"), run.point.at("workers"));
  }
}

TEST(StudyPlan, NamesAreFitForFolders) {
  EXPECT_EQ(run_id({{"data", "folder:a/b c"}}, 2), "data-folder-a-b-c.run-2");
  EXPECT_EQ(point_text({{"lr", "0.1"}, {"workers", "2"}}), "lr 0.1, workers 2");
  EXPECT_EQ(point_text({}), "alone");
}

TEST(StudyPlan, RefusesAxesThatMakeNoSense) {
  const auto refused = [](const std::vector<Axis>& axes, const char* message) {
    StudySpec spec = scaling();
    spec.axes = axes;
    return throws_with<UserError>([&] { (void)plan_runs(spec); }, message);
  };
  EXPECT_TRUE(refused({{"lr", {}}}, "no values"));
  EXPECT_TRUE(refused({{"lr", {"1", "1"}}}, "same value twice"));
  EXPECT_TRUE(refused({{"lr", {"1"}}, {"lr", {"2"}}}, "vary twice"));
  EXPECT_TRUE(refused({{"model", {"lenet"}}}, "also given a value"));
}

}  // namespace
}  // namespace convoy::study
