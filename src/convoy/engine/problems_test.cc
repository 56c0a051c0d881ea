#include "convoy/engine/problems.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

// A 3x3 convolution of as many channels as its result has, on square images.
kernels::ConvolutionProblem problem_of(std::int64_t batch, std::int64_t channels, std::int64_t size) {
  return {.batch = batch,
          .in_channels = channels,
          .in_h = size,
          .in_w = size,
          .out_channels = channels,
          .out_h = size,
          .out_w = size,
          .kernel_h = 3,
          .kernel_w = 3,
          .pad_top = 1,
          .pad_left = 1,
          .pad_bottom = 1,
          .pad_right = 1};
}

TEST(TrialBatch, IsAPartOfLongRuns) {
  const auto vgg = problem_of(64, 64, 64);
  EXPECT_EQ(trial_batch(vgg, 2), 16);
  EXPECT_EQ(trial_batch(vgg, 1), 8) << "one thread needs half as long a run";
}

TEST(TrialBatch, IsTheWholeBatchOfShortRuns) { EXPECT_EQ(trial_batch(problem_of(128, 16, 32), 1), 128); }

TEST(TrialBatch, LeavesEachThreadSeveralImages) {
  EXPECT_EQ(trial_batch(problem_of(64, 64, 224), 1), 4);
  EXPECT_EQ(trial_batch(problem_of(64, 64, 224), 8), 32);
}

TEST(TrialBatch, LeavesManyPixelsForEachWeight) { EXPECT_EQ(trial_batch(problem_of(64, 512, 8), 1), 64); }

TEST(TrialBatch, IsOnlyEverHalved) { EXPECT_EQ(trial_batch(problem_of(36, 64, 224), 1), 9); }

}  // namespace
}  // namespace convoy
