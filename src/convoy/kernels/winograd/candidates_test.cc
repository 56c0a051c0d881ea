#include "convoy/kernels/winograd/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/kernels/reference/convolution.h"
#include "convoy/kernels/reference/convolution_case_test.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

// The names of Convoy's own winograd implementations for a case.
std::vector<std::string> own_winograd(const ConvolutionCase& row, Pass pass) {
  std::vector<std::string> names;
  for (const PreparedPtr& candidate : candidates(test_device(), row.problem(), pass, Arithmetic::any)) {
    const std::string name = candidate->implementation();
    if (name.starts_with("convoy:winograd")) names.push_back(name);
  }
  return names;
}

TEST(Winograd, IsOfferedForPlain3x3And5x5) {
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    EXPECT_FALSE(own_winograd(ConvolutionCase("", {2, 64, 16, 16}, 64, {3, 3}).pad(1), pass).empty()) << name_of(pass);
    EXPECT_FALSE(own_winograd(ConvolutionCase("", {2, 64, 16, 16}, 64, {5, 5}).pad(2), pass).empty()) << name_of(pass);
    EXPECT_TRUE(own_winograd(ConvolutionCase("", {2, 64, 16, 16}, 64, {3, 3}).pad(1).stride(2, 2), pass).empty());
    EXPECT_TRUE(own_winograd(ConvolutionCase("", {2, 64, 16, 16}, 64, {3, 5}).pad(1), pass).empty());
    EXPECT_TRUE(own_winograd(ConvolutionCase("", {2, 64, 16, 16}, 64, {7, 7}).pad(3), pass).empty());
  }
}

TEST(Winograd, IsOfferedOnTilesThatFitTheImage) {
  using testing::ElementsAre;
  const auto forward = [](std::int64_t size, std::int64_t kernel) {
    return own_winograd(ConvolutionCase("", {64, 16, size, size}, 16, {kernel, kernel}).pad(kernel / 2), Pass::forward);
  };
  EXPECT_THAT(forward(2, 3), ElementsAre("convoy:winograd_2x2_3x3"));
  EXPECT_THAT(forward(8, 3), ElementsAre("convoy:winograd_4x4_3x3"));
  EXPECT_THAT(forward(16, 3), ElementsAre("convoy:winograd_4x4_3x3", "convoy:winograd_6x6_3x3"));
  EXPECT_THAT(forward(12, 3), ElementsAre("convoy:winograd_6x6_3x3"));
  EXPECT_THAT(forward(2, 5), ElementsAre("convoy:winograd_2x2_5x5"));
  EXPECT_THAT(forward(14, 5), ElementsAre("convoy:winograd_4x4_5x5"));
}

// A run may be resumed with another number of workers but must keep its kernels.
TEST(Winograd, IsTheSameForEveryBatch) {
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    const auto one = own_winograd(ConvolutionCase("", {1, 64, 16, 16}, 64, {3, 3}).pad(1), pass);
    EXPECT_EQ(own_winograd(ConvolutionCase("", {7, 64, 16, 16}, 64, {3, 3}).pad(1), pass), one);
    EXPECT_EQ(own_winograd(ConvolutionCase("", {500, 64, 16, 16}, 64, {3, 3}).pad(1), pass), one);
  }
}

// The root of the mean square of errors, as a share of that of the results. The largest error of one set of numbers is
// easily twice that of another.
double typical_error(const Values& actual, const Values& expected) {
  double errors = 0;
  double results = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    errors += (actual[i] - expected[i]) * (actual[i] - expected[i]);
    results += expected[i] * expected[i];
  }
  return std::sqrt(errors / results);
}

// The twin multiplies in double precision, so this shows the rounding of the implementations: winograd on 4x4 costs
// less than one digit compared with direct sums, on 6x6 about one.
TEST(Winograd, RoundsLittle) {
  const ConvolutionProblem problem = ConvolutionCase("", {2, 64, 16, 16}, 16, {3, 3}).pad(1).problem();
  const Values x = random_values(problem.batch * problem.in_channels * problem.in_h * problem.in_w, 1);
  const Values w = random_values(problem.out_channels * problem.in_channels * problem.kernel_h * problem.kernel_w, 2);
  const Values b = random_values(problem.out_channels, 3);
  const Values expected = convolution(problem, x, w, b);
  int seen = 0;
  for (const PreparedPtr& candidate : candidates(test_device(), problem, Pass::forward, Arithmetic::any)) {
    const std::string name = candidate->implementation();
    if (!name.starts_with("convoy:winograd")) continue;
    ++seen;
    OperatorRun run(candidate);
    run.give(Role::source, x).give(Role::weights, w).give(Role::bias, b);
    const Values y = run.run().take(Role::destination);
    ASSERT_EQ(y.size(), expected.size());
    EXPECT_LT(typical_error(y, expected), name.find("6x6") != std::string::npos ? 5e-6 : 1e-6) << name;
  }
  EXPECT_EQ(seen, 2);
}

// Transformed weights are large, here 17 MB and more, so not every thread can have its own. A gradient of weights by
// tiles may take 16 MB of each.
TEST(Winograd, ScratchGrowsLittleWithThreads) {
  const ConvolutionProblem problem = ConvolutionCase("", {64, 512, 8, 8}, 512, {3, 3}).pad(1).problem();
  constexpr std::size_t kOfAThread = std::size_t{20} << 20;
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    const auto scratch = [&](int threads) {
      return winograd_candidates(Device(threads), problem, pass).front()->bytes(Role::scratchpad);
    };
    EXPECT_LT(scratch(16), scratch(1) + 15 * kOfAThread) << name_of(pass);
  }
}

// With more threads than blocks of tiles some have nothing to do, and their part of a sum must be zero.
TEST(Winograd, WithThreadsToSpare) {
  const Device many(7);
  const ConvolutionProblem problem = ConvolutionCase("", {3, 16, 8, 8}, 16, {3, 3}).pad(1).problem();
  const Values x = random_values(problem.batch * problem.in_channels * problem.in_h * problem.in_w, 1);
  const Values dy = random_values(problem.batch * problem.out_channels * problem.out_h * problem.out_w, 4);
  const Values expected = convolution_backward_weights(problem, x, dy);
  const std::vector<PreparedPtr> found = winograd_candidates(many, problem, Pass::backward_weights);
  ASSERT_FALSE(found.empty());
  for (const PreparedPtr& candidate : found) {
    OperatorRun run(candidate);
    run.give(Role::source, x).give(Role::diff_destination, dy);
    EXPECT_TRUE(close(run.run().take(Role::diff_weights), expected, 5e-5));
    EXPECT_TRUE(close(run.take(Role::diff_bias), convolution_backward_bias(problem, dy), 1e-5));
  }
}

}  // namespace
}  // namespace convoy::kernels
