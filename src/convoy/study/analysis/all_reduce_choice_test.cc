#include "convoy/study/analysis/all_reduce_choice.h"

#include <gtest/gtest.h>

#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

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

TEST(AllReduceChoice, NeedsTwoThatWereMeasured) {
  EXPECT_TRUE(analyse_scaling(with_all_reduces({run_with(190)}, {failed_run("killed")})).all_reduces.empty());
}

}  // namespace
}  // namespace convoy::study
