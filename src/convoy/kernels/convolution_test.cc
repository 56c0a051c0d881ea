#include "convoy/kernels/convolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/kernels/reference/convolution.h"
#include "convoy/kernels/reference/convolution_case_test.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

std::int64_t count_of(const Layout::Dims& dims) {
  std::int64_t count = 1;
  for (std::int64_t dim : dims) count *= dim;
  return count;
}

bool named(const PreparedPtr& candidate, const char* part) {
  return candidate->implementation().find(part) != std::string::npos;
}
bool is_winograd(const PreparedPtr& candidate) { return named(candidate, "wino"); }
bool is_own_winograd(const PreparedPtr& candidate) { return named(candidate, "convoy:winograd"); }
double tolerance_of(const PreparedPtr& candidate) {
  if (is_own_winograd(candidate)) return 5e-5;
  return is_winograd(candidate) ? 1e-3 : 1e-5;
}

// Compares every implementation of every pass with the twin.
class ConvolutionCandidates : public testing::TestWithParam<ConvolutionCase> {
 protected:
  [[nodiscard]] std::vector<PreparedPtr> all(Pass pass) const {
    auto found = candidates(test_device(), problem_, pass, Arithmetic::any);
    EXPECT_FALSE(found.empty()) << "nothing computes this";
    return found;
  }

  const ConvolutionProblem problem_ = GetParam().problem();
  const Values x_ = random_values(count_of(problem_.source_dims()), 1, 2.0F);
  const Values w_ = random_values(count_of(problem_.weights_dims()), 2);
  const Values b_ = random_values(problem_.out_channels, 3);
  const Values dy_ = random_values(count_of(problem_.destination_dims()), 4);
};

TEST_P(ConvolutionCandidates, Forward) {
  const Values expected = convolution(problem_, x_, w_, b_);
  for (const PreparedPtr& candidate : all(Pass::forward)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::weights, w_);
    if (problem_.bias) run.give(Role::bias, b_);
    const Values once = run.run().take(Role::destination);
    EXPECT_TRUE(close(once, expected, tolerance_of(candidate)));
    EXPECT_TRUE(same(run.run().take(Role::destination), once)) << "in the second run";
  }
}

TEST_P(ConvolutionCandidates, BackwardData) {
  const Values expected = convolution_backward_data(problem_, dy_, w_);
  for (const PreparedPtr& candidate : all(Pass::backward_data)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::diff_destination, dy_).give(Role::weights, w_);
    const Values once = run.run().take(Role::diff_source);
    EXPECT_TRUE(close(once, expected, tolerance_of(candidate)));
    EXPECT_TRUE(same(run.run().take(Role::diff_source), once)) << "in the second run";
  }
}

TEST_P(ConvolutionCandidates, BackwardWeights) {
  const Values expected = convolution_backward_weights(problem_, x_, dy_);
  const Values expected_bias = convolution_backward_bias(problem_, dy_);
  for (const PreparedPtr& candidate : all(Pass::backward_weights)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::diff_destination, dy_);
    const Values once = run.run().take(Role::diff_weights);
    EXPECT_TRUE(close(once, expected, tolerance_of(candidate)));
    EXPECT_TRUE(same(run.run().take(Role::diff_weights), once)) << "in the second run";
    ASSERT_EQ(candidate->bytes(Role::diff_bias) > 0, problem_.bias);
    if (problem_.bias) {
      EXPECT_TRUE(close(run.take(Role::diff_bias), expected_bias, 1e-5));
    }
  }
}

constexpr auto kConvolutionName = [](const testing::TestParamInfo<ConvolutionCase>& row) { return row.param.name(); };

INSTANTIATE_TEST_SUITE_P(
    Channels, ConvolutionCandidates,
    testing::Values(ConvolutionCase("1_to_1", {2, 1, 6, 6}, 1, {3, 3}).pad(1),
                    ConvolutionCase("3_to_5", {2, 3, 7, 9}, 5, {3, 3}).pad(1).then(Activation::relu),
                    ConvolutionCase("5_to_17", {3, 5, 6, 5}, 17, {3, 3}).pad(1).no_bias(),
                    ConvolutionCase("17_to_24", {2, 17, 5, 5}, 24, {3, 3}).pad(1).then(Activation::relu6),
                    ConvolutionCase("24_to_3", {1, 24, 8, 6}, 3, {3, 3}),
                    ConvolutionCase("32_to_48", {2, 32, 6, 6}, 48, {3, 3}).stride(2, 2).pad(1).no_bias(),
                    ConvolutionCase("64_to_1", {2, 64, 4, 4}, 1, {1, 1}),
                    ConvolutionCase("1_to_33", {2, 1, 9, 9}, 33, {5, 5}).pad(2).then(Activation::relu)),
    kConvolutionName);

INSTANTIATE_TEST_SUITE_P(
    Kernels, ConvolutionCandidates,
    testing::Values(ConvolutionCase("1x1", {2, 24, 5, 7}, 17, {1, 1}).then(Activation::relu),
                    ConvolutionCase("1x1_strided", {2, 32, 7, 6}, 16, {1, 1}).stride(2, 3).no_bias(),
                    ConvolutionCase("2x2", {1, 5, 6, 6}, 5, {2, 2}),
                    ConvolutionCase("1x7", {2, 16, 8, 9}, 16, {1, 7}).pad(0, 3, 0, 3),
                    ConvolutionCase("7x1", {2, 5, 9, 4}, 17, {7, 1}).pad(3, 0, 3, 0).then(Activation::relu6),
                    ConvolutionCase("3x5", {1, 3, 8, 9}, 24, {3, 5}).stride(2, 1).pad(1, 2, 1, 2),
                    ConvolutionCase("5x5", {2, 17, 7, 7}, 5, {5, 5}).pad(2).no_bias(),
                    ConvolutionCase("7x7_stem", {1, 3, 20, 20}, 16, {7, 7}).stride(2, 2).pad(3),
                    ConvolutionCase("11x11_stem", {1, 3, 27, 27}, 24, {11, 11}).stride(4, 4).pad(2),
                    ConvolutionCase("11x11", {1, 5, 12, 13}, 3, {11, 11}).pad(5).then(Activation::relu)),
    kConvolutionName);

INSTANTIATE_TEST_SUITE_P(
    StridesAndPadding, ConvolutionCandidates,
    testing::Values(ConvolutionCase("stride_3", {2, 17, 10, 11}, 16, {3, 3}).stride(3, 3).pad(1),
                    ConvolutionCase("stride_4_past_the_kernel", {2, 16, 9, 9}, 16, {3, 3}).stride(4, 4),
                    ConvolutionCase("stride_1x4", {1, 24, 5, 9}, 32, {3, 3}).stride(1, 4).pad(1),
                    ConvolutionCase("top_only", {2, 16, 5, 5}, 16, {3, 3}).pad(2, 0, 0, 0),
                    ConvolutionCase("left_only", {2, 5, 5, 6}, 16, {3, 3}).pad(0, 1, 0, 0).no_bias(),
                    ConvolutionCase("bottom_only", {1, 24, 6, 5}, 5, {3, 3}).stride(2, 2).pad(0, 0, 1, 0),
                    ConvolutionCase("right_only", {2, 3, 6, 6}, 16, {3, 3}).stride(2, 2).pad(0, 0, 0, 1),
                    ConvolutionCase("wider_than_the_kernel", {1, 16, 4, 4}, 16, {2, 2}).pad(3)),
    kConvolutionName);

INSTANTIATE_TEST_SUITE_P(
    Groups, ConvolutionCandidates,
    testing::Values(
        ConvolutionCase("2_of_16", {2, 32, 6, 6}, 32, {3, 3}).pad(1).groups(2).then(Activation::relu),
        ConvolutionCase("2_of_12", {1, 24, 5, 5}, 48, {3, 3}).pad(1).groups(2),
        ConvolutionCase("2_of_24", {2, 48, 5, 5}, 48, {3, 3}).pad(1).groups(2).no_bias(),
        ConvolutionCase("3_of_1_to_5", {2, 3, 6, 6}, 15, {3, 3}).pad(1).groups(3),
        ConvolutionCase("3_of_17", {1, 51, 4, 4}, 51, {1, 1}).groups(3),
        ConvolutionCase("depthwise_32", {2, 32, 7, 7}, 32, {3, 3}).pad(1).groups(32).then(Activation::relu6),
        ConvolutionCase("depthwise_17", {2, 17, 6, 7}, 17, {3, 3}).pad(1).groups(17).no_bias(),
        ConvolutionCase("depthwise_5_strided", {1, 5, 9, 9}, 5, {3, 3}).stride(2, 2).pad(1).groups(5),
        ConvolutionCase("depthwise_24_5x5", {2, 24, 8, 8}, 24, {5, 5}).stride(2, 2).pad(2).groups(24),
        ConvolutionCase("depthwise_doubling", {2, 16, 5, 5}, 32, {3, 3}).pad(1).groups(16),
        ConvolutionCase("depthwise_one_sided", {1, 24, 6, 6}, 24, {3, 3}).stride(2, 2).pad(0, 0, 1, 1).groups(24)),
    kConvolutionName);

INSTANTIATE_TEST_SUITE_P(
    Dilation, ConvolutionCandidates,
    testing::Values(ConvolutionCase("2", {2, 16, 9, 9}, 16, {3, 3}).pad(2).dilation(2, 2).then(Activation::relu),
                    ConvolutionCase("3", {1, 17, 10, 10}, 5, {3, 3}).pad(3).dilation(3, 3).no_bias(),
                    ConvolutionCase("2x3_strided", {1, 24, 9, 11}, 17, {3, 2}).stride(2, 2).dilation(2, 3),
                    ConvolutionCase("2_grouped", {2, 6, 7, 7}, 6, {3, 3}).pad(2).dilation(2, 2).groups(2),
                    ConvolutionCase("2_depthwise", {1, 24, 7, 7}, 24, {3, 3}).pad(2).dilation(2, 2).groups(24)),
    kConvolutionName);

INSTANTIATE_TEST_SUITE_P(
    Images, ConvolutionCandidates,
    testing::Values(
        ConvolutionCase("1x1", {3, 24, 1, 1}, 17, {1, 1}).then(Activation::relu),
        ConvolutionCase("1x1_batch_1", {1, 16, 1, 1}, 32, {1, 1}).no_bias(),
        ConvolutionCase("1x1_padded_to_the_kernel", {2, 17, 1, 1}, 16, {3, 3}).pad(1),
        ConvolutionCase("smaller_than_the_kernel", {2, 16, 3, 2}, 24, {5, 5}).pad(2).then(Activation::relu6),
        ConvolutionCase("smaller_than_a_dilated_kernel", {1, 5, 3, 3}, 16, {3, 3}).pad(3).dilation(3, 3),
        ConvolutionCase("as_large_as_the_kernel", {2, 24, 4, 4}, 5, {4, 4}),
        ConvolutionCase("one_row", {2, 16, 1, 9}, 16, {1, 3})),
    kConvolutionName);

// oneDNN's winograd has tiles of 4x4, so sizes equal to, below and above multiples of that are tested.
INSTANTIATE_TEST_SUITE_P(
    Winograd, ConvolutionCandidates,
    testing::Values(ConvolutionCase("8x8", {2, 32, 8, 8}, 32, {3, 3}).pad(1).then(Activation::relu),
                    ConvolutionCase("5x7", {3, 64, 5, 7}, 32, {3, 3}).pad(1).no_bias(),
                    ConvolutionCase("2x2", {2, 32, 2, 2}, 64, {3, 3}).pad(1),
                    ConvolutionCase("13x13_unpadded", {1, 48, 13, 13}, 48, {3, 3}).then(Activation::relu6),
                    ConvolutionCase("10x6_top_only", {1, 32, 10, 6}, 32, {3, 3}).pad(1, 0, 0, 0),
                    ConvolutionCase("10x6_bottom_right", {1, 32, 10, 6}, 32, {3, 3}).pad(0, 0, 1, 1),
                    ConvolutionCase("6x5_left_only", {1, 32, 6, 5}, 32, {3, 3}).pad(0, 1, 0, 0),
                    ConvolutionCase("9x9_odd_channels", {2, 40, 9, 9}, 33, {3, 3}).pad(1)),
    kConvolutionName);

// Convoy's own winograd: every scheme, by tiles and by weights, with several blocks of tiles and a short one at the
// end, several blocks of channels and odd numbers of them, and borders on all sides.
INSTANTIATE_TEST_SUITE_P(
    OwnWinograd, ConvolutionCandidates,
    testing::Values(ConvolutionCase("2x2_3x3_few_tiles", {5, 40, 2, 2}, 33, {3, 3}).pad(1).then(Activation::relu),
                    ConvolutionCase("2x2_3x3_many_channels", {3, 150, 2, 1}, 90, {3, 3}).pad(1).no_bias(),
                    ConvolutionCase("2x2_3x3_many_tiles", {75, 16, 2, 2}, 24, {3, 3}).pad(1),
                    ConvolutionCase("2x2_3x3_many_of_both", {230, 512, 1, 2}, 64, {3, 3}).pad(1),
                    ConvolutionCase("4x4_3x3_one_side_odd", {3, 24, 15, 16}, 17, {3, 3}).pad(1).then(Activation::relu6),
                    ConvolutionCase("4x4_3x3_many_channels", {2, 130, 4, 4}, 98, {3, 3}).pad(1),
                    ConvolutionCase("4x4_3x3_many_tiles", {9, 16, 32, 31}, 16, {3, 3}).pad(1).no_bias(),
                    ConvolutionCase("6x6_3x3_unpadded", {2, 33, 26, 20}, 40, {3, 3}).then(Activation::relu),
                    ConvolutionCase("6x6_3x3_one_sided", {2, 16, 18, 12}, 24, {3, 3}).pad(2, 0, 0, 1),
                    ConvolutionCase("6x6_3x3_padded_past_the_kernel", {1, 8, 12, 12}, 9, {3, 3}).pad(4),
                    ConvolutionCase("2x2_5x5_tiny", {7, 20, 2, 2}, 40, {5, 5}).pad(2),
                    ConvolutionCase("2x2_5x5_many_tiles", {75, 16, 2, 2}, 20, {5, 5}).pad(2).no_bias(),
                    ConvolutionCase("4x4_5x5_lenet", {5, 32, 14, 14}, 64, {5, 5}).pad(2).then(Activation::relu),
                    ConvolutionCase("4x4_5x5_unpadded", {3, 24, 17, 12}, 17, {5, 5}).no_bias(),
                    ConvolutionCase("5x5_one_sided", {2, 9, 7, 9}, 8, {5, 5}).pad(0, 3, 4, 1)),
    kConvolutionName);

// Convoy's own 1x1 kernels: several groups of weights and a short one at the end, weights that are multiplied in
// several parts, odd numbers of blocks of channels, several strips of an image, and the pixels that a stride leaves
// out.
INSTANTIATE_TEST_SUITE_P(
    Pointwise, ConvolutionCandidates,
    testing::Values(ConvolutionCase("many_channels", {3, 290, 5, 7}, 150, {1, 1}).then(Activation::relu),
                    ConvolutionCase("many_results", {2, 20, 6, 6}, 310, {1, 1}).no_bias(),
                    ConvolutionCase("strips", {2, 24, 41, 40}, 40, {1, 1}).then(Activation::relu6),
                    ConvolutionCase("many_images", {37, 8, 3, 3}, 9, {1, 1}),
                    ConvolutionCase("strided", {3, 40, 13, 12}, 136, {1, 1}).stride(2, 2).then(Activation::relu),
                    ConvolutionCase("strided_strips", {2, 16, 50, 66}, 24, {1, 1}).stride(2, 2).no_bias(),
                    ConvolutionCase("strided_past_the_image", {2, 17, 8, 9}, 16, {1, 1}).stride(3, 1)),
    kConvolutionName);

// Few enough pixels for the weight gradient over patches.
INSTANTIATE_TEST_SUITE_P(
    Tiny, ConvolutionCandidates,
    testing::Values(ConvolutionCase("4x4_one_sided", {3, 17, 4, 4}, 24, {3, 3}).pad(0, 2, 1, 0),
                    ConvolutionCase("2x2", {5, 20, 2, 2}, 33, {3, 3}).pad(1).no_bias(),
                    ConvolutionCase("3x3_strided", {2, 5, 7, 6}, 17, {3, 2}).stride(3, 2).pad(1),
                    ConvolutionCase("4x3_dilated", {4, 3, 4, 5}, 16, {3, 3}).pad(2, 1, 2, 1).dilation(2, 2)),
    kConvolutionName);

ConvolutionProblem winograd_friendly() { return ConvolutionCase("", {2, 64, 16, 16}, 64, {3, 3}).pad(1).problem(); }

TEST(Convolution, OffersPatchesForTinyImages) {
  const auto over_patches = [](const PreparedPtr& candidate) {
    return candidate->implementation().find("patches") != std::string::npos;
  };
  const auto count = [&](const ConvolutionCase& row, Pass pass) {
    const auto found = candidates(test_device(), row.problem(), pass, Arithmetic::direct_only);
    return std::count_if(found.begin(), found.end(), over_patches);
  };
  EXPECT_GT(count(ConvolutionCase("", {2, 5, 4, 4}, 17, {3, 3}).pad(1), Pass::backward_weights), 0);
  EXPECT_EQ(count(ConvolutionCase("", {2, 5, 4, 4}, 17, {3, 3}).pad(1), Pass::forward), 0);
  EXPECT_EQ(count(ConvolutionCase("", {2, 5, 9, 9}, 17, {3, 3}).pad(1), Pass::backward_weights), 0);
}

TEST(Convolution, Offers1x1KernelsOfItsOwn) {
  const auto count = [](const ConvolutionCase& row, Pass pass) {
    return std::ranges::count_if(candidates(test_device(), row.problem(), pass, Arithmetic::direct_only),
                                 [](const PreparedPtr& one) { return named(one, "convoy:pointwise"); });
  };
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    EXPECT_EQ(count(ConvolutionCase("", {2, 24, 5, 5}, 16, {1, 1}), pass), 1) << name_of(pass);
    EXPECT_EQ(count(ConvolutionCase("", {2, 24, 5, 5}, 16, {1, 1}).stride(2, 2), pass), 1) << name_of(pass);
    EXPECT_EQ(count(ConvolutionCase("", {2, 24, 5, 5}, 16, {1, 1}).pad(1), pass), 0) << name_of(pass);
    EXPECT_EQ(count(ConvolutionCase("", {2, 32, 5, 5}, 32, {1, 1}).groups(2), pass), 0) << name_of(pass);
    EXPECT_EQ(count(ConvolutionCase("", {2, 24, 5, 5}, 16, {1, 2}), pass), 0) << name_of(pass);
  }
}

TEST(Convolution, DirectOnlyMeansNoWinograd) {
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    const auto found = candidates(test_device(), winograd_friendly(), pass, Arithmetic::direct_only);
    EXPECT_TRUE(std::none_of(found.begin(), found.end(), is_winograd)) << name_of(pass);
  }
}

// Kernels for older processors take the longest and never win, so they are not in the race.
TEST(Convolution, OffersNothingForOlderProcessors) {
  if (instruction_set() == InstructionSet::baseline) GTEST_SKIP() << "there are no older ones";
  const ConvolutionProblem square{
      .batch = 2, .in_channels = 64, .in_h = 8, .in_w = 8, .out_channels = 64, .out_h = 8, .out_w = 8};
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    for (const PreparedPtr& candidate : candidates(test_device(), square, pass, Arithmetic::any)) {
      EXPECT_FALSE(named(candidate, "sse41")) << candidate->implementation();
    }
  }
}

TEST(Convolution, OffersNoKernelTwiceWithCopiesAroundIt) {
  ConvolutionProblem problem{
      .batch = 2, .in_channels = 64, .in_h = 8, .in_w = 8, .out_channels = 64, .out_h = 8, .out_w = 8};
  const auto families = [&] {
    std::vector<std::string> found;
    for (const PreparedPtr& candidate : candidates(test_device(), problem, Pass::forward, Arithmetic::direct_only)) {
      const std::string name = candidate->implementation();
      if (name.find("jit") != std::string::npos) found.push_back(name.substr(0, name.find(':')));
    }
    return found;
  };
  EXPECT_THAT(families(), testing::AllOf(testing::Not(testing::IsEmpty()), testing::Each("direct blocked jit_1x1")));
  // With one block of channels there is nothing to copy, so both orders race.
  problem.in_channels = problem.out_channels = channel_block();
  EXPECT_THAT(families(), testing::IsSupersetOf({"direct blocked jit_1x1", "direct nhwc jit_1x1"}));
}

TEST(Convolution, CandidatesHaveDifferentNames) {
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    std::vector<std::string> names;
    for (const auto& found : candidates(test_device(), winograd_friendly(), pass, Arithmetic::any)) {
      names.push_back(found->implementation());
    }
    EXPECT_FALSE(names.empty());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  }
}

TEST(Convolution, CountsItsArithmetic) {
  // 16 x 16 x 64 results for 2 samples, each of 3 x 3 x 64 products.
  EXPECT_DOUBLE_EQ(winograd_friendly().flops(), 2.0 * 16 * 16 * 64 * 2 * 3 * 3 * 64);
  EXPECT_DOUBLE_EQ(ConvolutionCase("", {1, 8, 4, 4}, 8, {3, 3}).pad(1).groups(8).problem().flops(),
                   2.0 * 4 * 4 * 8 * 9);
}

TEST(Convolution, KeysTellProblemsApart) {
  const ConvolutionCase base("", {2, 8, 9, 9}, 8, {3, 3});
  const std::vector<ConvolutionCase> others = {ConvolutionCase("", {3, 8, 9, 9}, 8, {3, 3}),
                                               ConvolutionCase("", {2, 8, 9, 9}, 16, {3, 3}),
                                               ConvolutionCase(base).stride(2, 1),
                                               ConvolutionCase(base).pad(1, 0, 0, 0),
                                               ConvolutionCase(base).pad(0, 0, 0, 1),
                                               ConvolutionCase(base).dilation(1, 2),
                                               ConvolutionCase(base).groups(8),
                                               ConvolutionCase(base).no_bias(),
                                               ConvolutionCase(base).then(Activation::relu6)};
  for (const ConvolutionCase& other : others) EXPECT_NE(base.problem().key(), other.problem().key());
}

}  // namespace
}  // namespace convoy::kernels
