#include "convoy/kernels/pairs/candidates.h"

#include <gtest/gtest.h>

#include "convoy/kernels/device.h"
#include "convoy/kernels/reference/bf16_values_test.h"
#include "convoy/kernels/reference/convolution.h"
#include "convoy/kernels/reference/convolution_case_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

class PairedCandidates : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16_instructions()) GTEST_SKIP() << "this processor has no bf16 instructions";
    if (has_matrix_registers()) GTEST_SKIP() << "matrix registers are used instead of pairs on this processor";
  }

  [[nodiscard]] static bool offered(ConvolutionProblem problem, Pass pass, DataType type = kBf16) {
    problem.type = type;
    return !paired_candidates(test_device(), problem, pass).empty();
  }
};

TEST_F(PairedCandidates, ComputeGradientsOfStridedConvolutionsAndOfFewChannelsByManyTaps) {
  const auto strided = ConvolutionCase("", {2, 32, 8, 8}, 16, {3, 3}).stride(2, 2).pad(1).problem();
  const auto first = ConvolutionCase("", {2, 3, 30, 30}, 16, {7, 7}).stride(2, 2).pad(3).problem();
  for (const ConvolutionProblem& problem : {strided, first}) {
    EXPECT_TRUE(offered(problem, Pass::backward_weights));
    EXPECT_FALSE(offered(problem, Pass::backward_weights, DataType::fp32));
    EXPECT_FALSE(offered(problem, Pass::forward));
    EXPECT_FALSE(offered(problem, Pass::backward_data));
  }
  EXPECT_FALSE(offered(ConvolutionCase("", {2, 32, 8, 8}, 16, {3, 3}).pad(1).problem(), Pass::backward_weights));
  EXPECT_FALSE(offered(ConvolutionCase("", {2, 32, 8, 8}, 32, {3, 3}).stride(2, 2).pad(1).groups(2).problem(),
                       Pass::backward_weights));
}

TEST_F(PairedCandidates, ComputeDenseLayersOfWholePairsOfBlocks) {
  DenseProblem problem{.batch = 3, .in_channels = 64, .out = 10, .type = kBf16};
  EXPECT_EQ(paired_candidates(test_device(), problem, Pass::forward).size(), 1);
  EXPECT_EQ(paired_candidates(test_device(), problem, Pass::backward_data).size(), 1);
  EXPECT_TRUE(paired_candidates(test_device(), problem, Pass::backward_weights).empty());
  problem.in_channels = 48;
  EXPECT_TRUE(paired_candidates(test_device(), problem, Pass::forward).empty());
}

// With more threads than strips some have nothing to do, and their part of a sum must be zero.
TEST_F(PairedCandidates, ComputeGradientsWithThreadsToSpare) {
  auto problem = ConvolutionCase("", {1, 16, 5, 6}, 24, {3, 3}).stride(2, 2).pad(1).problem();
  problem.type = kBf16;
  const Values x = random_bf16(problem.source_dims(), 1, 2.0F);
  const Values dy = random_bf16(problem.destination_dims(), 4);
  for (const int threads : {1, 7}) {
    OperatorRun run(paired_candidates(Device(threads), problem, Pass::backward_weights).front());
    run.give(Role::source, x).give(Role::diff_destination, dy);
    EXPECT_TRUE(close(run.run().take(Role::diff_weights), convolution_backward_weights(problem, x, dy), 1e-5));
    EXPECT_TRUE(close(run.take(Role::diff_bias), convolution_backward_bias(problem, dy), 1e-5));
  }
  test_device().use();
}

}  // namespace
}  // namespace convoy::kernels
