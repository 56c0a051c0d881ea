// Every operator in bf16 compared with its twin in doubles. Inputs are bf16 numbers, so both compute with the same
// ones. The tolerance follows from the definition of bf16: a result is rounded once, by at most half a unit of its last
// place, which is 2^-8 of it, in addition to the tolerance of the same operator in floats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/kernels/batch_norm.h"
#include "convoy/kernels/channel_copy.h"
#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/lrn.h"
#include "convoy/kernels/pooling.h"
#include "convoy/kernels/reference/batch_norm.h"
#include "convoy/kernels/reference/bf16_values_test.h"
#include "convoy/kernels/reference/channel_copy.h"
#include "convoy/kernels/reference/elementwise.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/lrn.h"
#include "convoy/kernels/reference/operator_run_test.h"
#include "convoy/kernels/reference/pooling.h"
#include "convoy/kernels/reference/pooling_case_test.h"
#include "convoy/kernels/reorder.h"

namespace convoy::kernels {
namespace {

using namespace reference;

TEST(Bf16Reorder, ConvertsBetweenTypesAndLayouts) {
  const Layout::Dims dims = {2, 19, 3, 5};
  const Values numbers = random_bf16(dims, 1);
  for (const DataType from : {DataType::fp32, kBf16}) {
    for (const DataType to : {DataType::fp32, kBf16}) {
      for (const Layout& a :
           {Layout::plain(dims, from), Layout::channels_last(dims, from), Layout::blocked(dims, from)}) {
        for (const Layout& b : {Layout::plain(dims, to), Layout::channels_last(dims, to), Layout::blocked(dims, to)}) {
          if (a == b) continue;
          SCOPED_TRACE(a.describe() + " to " + b.describe());
          OperatorRun run(prepare_reorder(test_device(), a, b));
          EXPECT_TRUE(same(run.give(Role::source, numbers).run().take(Role::destination), numbers));
        }
      }
    }
  }
}

TEST(Bf16Reorder, RoundsAsScalarsDo) {
  const Layout::Dims dims = {7, 133};
  const Values numbers = random_values(count_of_all(dims), 3, 1e10F);
  Values expected = numbers;
  std::ranges::transform(expected, expected.begin(), rounded);
  OperatorRun run(prepare_reorder(test_device(), Layout::plain(dims), Layout::plain(dims, kBf16)));
  EXPECT_TRUE(same(run.give(Role::source, numbers).run().take(Role::destination), expected));
}

TEST(Bf16Reorder, KeepsWhatIsNoNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Values numbers = {infinity, -infinity, std::nan(""), 0, -0.0, 1};
  OperatorRun run(prepare_reorder(test_device(), Layout::plain({6}), Layout::plain({6}, kBf16)));
  EXPECT_TRUE(same(run.give(Role::source, numbers).run().take(Role::destination), numbers));
}

// The gradient of the source is computed from four numbers. Of these, the kernel stores only the shortcut's gradient in
// bf16, and continues with the rounded one.
TEST(Bf16BatchNorm, ForwardAndBackward) {
  for (const Activation activation : {Activation::none, Activation::relu, Activation::relu6}) {
    for (const bool shortcut : {false, true}) {
      SCOPED_TRACE(testing::Message() << "activation " << static_cast<int>(activation) << ", shortcut " << shortcut);
      const BatchNormProblem problem{
          .batch = 3, .channels = 19, .h = 5, .w = 4, .activation = activation, .shortcut = shortcut, .type = kBf16};
      const Values x = random_bf16(problem.dims(), 1, 2.0F);
      const Values added = random_bf16(problem.dims(), 2, 2.0F);
      const Values dy = random_bf16(problem.dims(), 3);
      const BatchNormParameters parameters{random_values(19, 4, 2.0F), random_values(19, 5, 2.0F)};
      const ChannelStatistics statistics = statistics_of(problem, x);
      OperatorRun forward(prepare_batch_norm(problem));
      forward.give(Role::source, x).give_row(Role::weights, parameters.scale).give_row(Role::bias, parameters.shift);
      forward.give_row(Role::running_mean, Values(19)).give_row(Role::running_variance, Values(19));
      if (shortcut) forward.give(Role::source2, added);
      const Values y = forward.run().take(Role::destination);
      EXPECT_TRUE(close_in_bf16(y, batch_norm(problem, x, added, parameters, statistics), 1e-5));
      EXPECT_TRUE(close(forward.take_row(Role::running_mean, 19),
                        updated(problem, {Values(19), Values(19)}, statistics).mean, 1e-6));

      const bool writes = shortcut && activation != Activation::none;
      OperatorRun backward(prepare_batch_norm_backward(problem, {.write_shortcut_gradient = writes}));
      backward.give(Role::source, x).give(Role::diff_destination, dy).take_over(Role::workspace, forward);
      backward.give_row(Role::weights, parameters.scale).give_row(Role::bias, parameters.shift);
      if (writes) backward.give(Role::destination, y);
      backward.run();
      const BatchNormGradients expected = batch_norm_backward(problem, x, y, parameters.scale, dy);
      EXPECT_TRUE(close_in_bf16(backward.take(Role::diff_source), expected.source, 2e-5));
      EXPECT_TRUE(close(backward.take_row(Role::diff_weights, 19), expected.scale, 1e-5));
      EXPECT_TRUE(close(backward.take_row(Role::diff_bias, 19), expected.shift, 1e-5));
      if (writes) {
        EXPECT_TRUE(same(backward.take(Role::diff_source2), expected.shortcut));
      }
    }
  }
}

// Two gradients are added in floats. Their sum is rounded when it is stored for the shortcut, and the source's gradient
// is computed from the rounded sum.
TEST(Bf16BatchNorm, AddsTwoGradients) {
  const BatchNormProblem problem{
      .batch = 2, .channels = 8, .h = 3, .w = 3, .activation = Activation::relu, .shortcut = true, .type = kBf16};
  const Values x = random_bf16(problem.dims(), 1, 2.0F);
  const Values added = random_bf16(problem.dims(), 2);
  const Values one = random_bf16(problem.dims(), 3);
  const Values two = random_bf16(problem.dims(), 4);
  const BatchNormParameters parameters{random_values(8, 5, 2.0F), random_values(8, 6)};
  OperatorRun forward(prepare_batch_norm(problem));
  forward.give(Role::source, x).give(Role::source2, added);
  forward.give_row(Role::weights, parameters.scale).give_row(Role::bias, parameters.shift);
  forward.give_row(Role::running_mean, Values(8)).give_row(Role::running_variance, Values(8)).run();
  const Values y = forward.take(Role::destination);
  OperatorRun backward(prepare_batch_norm_backward(problem, {.two_gradients = true, .write_shortcut_gradient = true}));
  backward.give(Role::source, x).give(Role::destination, y).take_over(Role::workspace, forward);
  backward.give(Role::diff_destination, one).give(Role::diff_destination2, two);
  backward.give_row(Role::weights, parameters.scale).give_row(Role::bias, parameters.shift).run();
  const BatchNormGradients expected = batch_norm_backward(problem, x, y, parameters.scale, add(one, two));
  EXPECT_TRUE(close_in_bf16(backward.take(Role::diff_source2), expected.shortcut, 1e-7));
  // By at most half a unit of the sum's last place, times the scale divided by the deviation.
  EXPECT_TRUE(close_in_bf16(backward.take(Role::diff_source), expected.source, kHalfUnit));
}

TEST(Bf16BatchNorm, Inference) {
  const BatchNormProblem problem{
      .batch = 2, .channels = 19, .h = 3, .w = 4, .activation = Activation::relu, .type = kBf16};
  const Values x = random_bf16(problem.dims(), 1, 2.0F);
  const Values dy = random_bf16(problem.dims(), 2);
  const BatchNormParameters parameters{random_values(19, 3, 2.0F), random_values(19, 4)};
  ChannelStatistics running{random_values(19, 5), random_values(19, 6)};
  for (double& variance : running.variance) variance = static_cast<float>(std::abs(variance) + 0.5);
  OperatorRun forward(prepare_batch_norm_inference(problem));
  forward.give(Role::source, x).give_row(Role::weights, parameters.scale).give_row(Role::bias, parameters.shift);
  forward.give_row(Role::running_mean, running.mean).give_row(Role::running_variance, running.variance).run();
  const Values y = forward.take(Role::destination);
  EXPECT_TRUE(close_in_bf16(y, batch_norm(problem, x, {}, parameters, running), 1e-5));
  OperatorRun backward(prepare_batch_norm_inference_backward(problem, {}));
  backward.give_row(Role::weights, parameters.scale).give_row(Role::running_variance, running.variance);
  backward.give(Role::diff_destination, dy).give(Role::destination, y).run();
  const auto expected = batch_norm_inference_backward(problem, y, parameters.scale, running.variance, dy);
  EXPECT_TRUE(close_in_bf16(backward.take(Role::diff_source), expected.source, 1e-5));
}

class Bf16Pooling : public testing::TestWithParam<PoolingCase> {};

// Gradients of overlapping windows are added in floats and rounded once.
TEST_P(Bf16Pooling, ForwardAndBackward) {
  PoolingProblem problem = GetParam().problem();
  problem.type = kBf16;
  const Values x = random_bf16(problem.source_dims(), 1);
  const Values dy = random_bf16(problem.destination_dims(), 2);
  OperatorRun forward(prepare_pooling(problem, true));
  EXPECT_TRUE(close_in_bf16(forward.give(Role::source, x).run().take(Role::destination), pooling(problem, x), 1e-6));
  OperatorRun backward(prepare_pooling_backward(problem));
  backward.take_over(Role::workspace, forward).give(Role::diff_destination, dy).run();
  EXPECT_TRUE(close_in_bf16(backward.take(Role::diff_source), pooling_backward(problem, x, dy), 1e-6));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Bf16Pooling,
    testing::Values(PoolingCase("max_2x2", Pooling::max, {2, 19, 6, 8}, {2, 2}).stride(2, 2),
                    PoolingCase("max_overlapping", Pooling::max, {2, 8, 9, 9}, {3, 3}).pad(1),
                    PoolingCase("average_overlapping", Pooling::average, {2, 19, 7, 7}, {3, 3}).pad(1),
                    PoolingCase("average_ceil", Pooling::average, {1, 8, 8, 6}, {3, 3}).stride(2, 2).ceil(),
                    PoolingCase("global", Pooling::average, {2, 19, 7, 7}, {7, 7})),
    [](const auto& row) { return row.param.name(); });

TEST(Bf16Lrn, ForwardAndBackward) {
  const LrnProblem problem{.batch = 2, .channels = 19, .h = 3, .w = 4, .alpha = 0.5F, .type = kBf16};
  const Values x = random_bf16(problem.dims(), 1, 4.0F);
  const Values dy = random_bf16(problem.dims(), 2);
  OperatorRun forward(prepare_lrn(test_device(), problem, true));
  EXPECT_TRUE(close_in_bf16(forward.give(Role::source, x).run().take(Role::destination), lrn(problem, x), 1e-5));
  OperatorRun backward(prepare_lrn_backward(test_device(), problem));
  backward.give(Role::source, x).give(Role::diff_destination, dy).take_over(Role::workspace, forward).run();
  EXPECT_TRUE(close_in_bf16(backward.take(Role::diff_source), lrn_backward(problem, x, dy), 1e-5));
}

TEST(Bf16Elementwise, ActivatesAndAdds) {
  for (const Layout& layout : {Layout::plain({3, 37}, kBf16), Layout::blocked({2, 19, 3, 5}, kBf16)}) {
    const Values a = random_bf16(layout.dims(), 1, 8.0F);
    const Values b = random_bf16(layout.dims(), 2, 8.0F);
    for (const Activation activation : {Activation::none, Activation::relu, Activation::relu6}) {
      OperatorRun forward(prepare_activation(layout, activation));
      EXPECT_TRUE(same(forward.give(Role::source, a).run().take(Role::destination), activate(activation, a)));
      OperatorRun backward(prepare_activation_backward(layout, activation));
      backward.give(Role::destination, activate(activation, a)).give(Role::diff_destination, b).run();
      EXPECT_TRUE(same(backward.take(Role::diff_source), activate_backward(activation, activate(activation, a), b)));
      Values sum = activate(activation, add(a, b));
      std::ranges::transform(sum, sum.begin(), rounded);
      OperatorRun adds(prepare_add(layout, activation));
      adds.give(Role::source, a).give(Role::source2, b).run();
      EXPECT_TRUE(same(adds.take(Role::destination), sum));
    }
  }
}

TEST(Bf16Dropout, DrawsTheSameMaskAsFloats) {
  const Layout layout = Layout::plain({5, 77}, kBf16);
  const Values x = random_bf16(layout.dims(), 1);
  const StepInfo info{.seed = 3, .step = 4, .first_sample = 2};
  OperatorRun run(prepare_dropout(layout, 0.5F, 6));
  run.give(Role::source, x).give_step(info).run();
  const DropoutDraws draws{.rate = 0.5, .seed = 3, .step = 4, .stream = 6, .first_sample = 2};
  EXPECT_TRUE(same(run.take(Role::destination), dropout(draws, 5, x)));  // twice a bf16 number is a bf16 number
  OperatorRun backward(prepare_dropout_backward(layout, 0.5F));
  backward.give(Role::diff_destination, x).take_over(Role::workspace, run).run();
  EXPECT_TRUE(same(backward.take(Role::diff_source), dropout(draws, 5, x)));
}

TEST(Bf16ChannelCopy, MovesElementsAsTheyAre) {
  for (const bool is_spread : {false, true}) {
    const ChannelCopy copy{.batch = 2,
                           .source_channels = 21,
                           .source_h = is_spread ? 3 : 6,
                           .source_w = is_spread ? 3 : 6,
                           .destination_channels = 40,
                           .destination_h = is_spread ? 6 : 3,
                           .destination_w = is_spread ? 6 : 3,
                           .from = 2,
                           .to = 13,
                           .count = 18,
                           .stride = 2,
                           .spread = is_spread,
                           .clear = true,
                           .type = kBf16};
    const Values x = random_bf16(copy.source_dims(), 1);
    OperatorRun run(prepare_channel_copy(copy, Role::source, Role::destination));
    const Values expected =
        channel_copy(copy, x, Values(static_cast<std::size_t>(count_of_all(copy.destination_dims()))));
    EXPECT_TRUE(same(run.give(Role::source, x).run().take(Role::destination), expected));
  }
}

}  // namespace
}  // namespace convoy::kernels
