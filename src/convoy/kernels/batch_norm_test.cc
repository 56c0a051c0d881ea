#include "convoy/kernels/batch_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "convoy/kernels/reference/batch_norm.h"
#include "convoy/kernels/reference/elementwise.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

struct Shape {
  const char* name;
  std::int64_t batch, channels, h, w;
};

// Inputs of a batch norm, the results of its naive twin, and its prepared kernels.
class BatchNormRun {
 public:
  explicit BatchNormRun(const BatchNormProblem& of, float reach = 1.0F, double mean = 0.0)
      : problem(of), x(random_values(count(), 1, reach)) {
    for (double& value : x) value = static_cast<float>(value + mean);
    for (double& value : running.variance) value = std::abs(value) + 0.5;
  }

  [[nodiscard]] std::int64_t count() const { return problem.batch * problem.channels * problem.h * problem.w; }
  [[nodiscard]] Values twin() const { return batch_norm(problem, x, shortcut, parameters, statistics_of(problem, x)); }

  [[nodiscard]] OperatorRun forward(const PreparedPtr& prepared) const {
    OperatorRun run(prepared);
    run.give(Role::source, x);
    if (problem.shortcut) run.give(Role::source2, shortcut);
    give_parameters(run);
    run.give_row(Role::running_mean, running.mean).give_row(Role::running_variance, running.variance);
    run.run();
    return run;
  }

  // Ready to run, with what a forward pass has left.
  [[nodiscard]] OperatorRun backward(const BatchNormGradientOptions& options, const OperatorRun& forward) const {
    OperatorRun run(prepare_batch_norm_backward(problem, options));
    run.give(Role::source, x).take_over(Role::workspace, forward).give(Role::diff_destination, dy);
    if (options.two_gradients) run.give(Role::diff_destination2, dy2);
    if (problem.shortcut && problem.activation != Activation::none) {
      run.give(Role::destination, forward.take(Role::destination));
    }
    give_parameters(run);
    return run;
  }

  // Ready to run, with what inference has left.
  [[nodiscard]] OperatorRun inference_backward(const BatchNormGradientOptions& options,
                                               const OperatorRun& forward) const {
    OperatorRun run(prepare_batch_norm_inference_backward(problem, options));
    run.give_row(Role::weights, parameters.scale).give_row(Role::running_variance, running.variance);
    run.give(Role::diff_destination, dy);
    if (options.two_gradients) run.give(Role::diff_destination2, dy2);
    if (problem.activation != Activation::none) run.give(Role::destination, forward.take(Role::destination));
    return run;
  }

  [[nodiscard]] BatchNormGradients twin_gradients(const BatchNormGradientOptions& options) const {
    return batch_norm_backward(problem, x, twin(), parameters.scale, options.two_gradients ? add(dy, dy2) : dy);
  }

  BatchNormProblem problem;
  Values x;
  Values shortcut = random_values(count(), 2, 4.0F);
  BatchNormParameters parameters{random_values(problem.channels, 3, 4.0F), random_values(problem.channels, 4, 3.0F)};
  ChannelStatistics running{random_values(problem.channels, 5), random_values(problem.channels, 6)};
  Values dy = random_values(count(), 7);
  Values dy2 = random_values(count(), 8);

 private:
  void give_parameters(OperatorRun& run) const {
    run.give_row(Role::weights, parameters.scale).give_row(Role::bias, parameters.shift);
  }
};

// The values of the channels, with the zeros that fill the last block.
Values padded(const Values& channels) {
  Values result = channels;
  result.resize(channel_array_bytes(std::ssize(channels)) / sizeof(float));
  return result;
}

Values whole_row(const OperatorRun& run, Role role) {
  return run.take_row(role, static_cast<std::int64_t>(run.raw(role).size() / sizeof(float)));
}

void expect_gradients(const OperatorRun& run, const BatchNormGradients& expected,
                      const BatchNormGradientOptions& options) {
  EXPECT_TRUE(close(run.take(Role::diff_source), expected.source, 2e-5));
  EXPECT_TRUE(close(whole_row(run, Role::diff_weights), padded(expected.scale), 1e-5));
  EXPECT_TRUE(close(whole_row(run, Role::diff_bias), padded(expected.shift), 1e-5));
  if (options.write_shortcut_gradient) {
    EXPECT_TRUE(close(run.take(Role::diff_source2), expected.shortcut, 1e-6));
  }
}

// Each test runs a shape with every activation, with and without shortcut.
class BatchNormShapes : public testing::TestWithParam<Shape> {
 protected:
  template <typename Body>
  void for_variants(const Body& body) const {
    const Shape shape = GetParam();
    for (const Activation activation : {Activation::none, Activation::relu, Activation::relu6}) {
      for (const bool shortcut : {false, true}) {
        SCOPED_TRACE(testing::Message() << "activation " << static_cast<int>(activation) << ", shortcut " << shortcut);
        body(BatchNormRun({.batch = shape.batch,
                           .channels = shape.channels,
                           .h = shape.h,
                           .w = shape.w,
                           .activation = activation,
                           .shortcut = shortcut}));
      }
    }
  }
};

TEST_P(BatchNormShapes, Forward) {
  for_variants([](const BatchNormRun& sample) {
    const OperatorRun run = sample.forward(prepare_batch_norm(sample.problem));
    EXPECT_TRUE(close(run.take(Role::destination), sample.twin(), 1e-5));
    const ChannelStatistics statistics = statistics_of(sample.problem, sample.x);
    const ChannelStatistics running = updated(sample.problem, sample.running, statistics);
    EXPECT_TRUE(close(whole_row(run, Role::running_mean), padded(running.mean), 1e-6));
    EXPECT_TRUE(close(whole_row(run, Role::running_variance), padded(running.variance), 1e-6));
  });
}

TEST_P(BatchNormShapes, Inference) {
  for_variants([](const BatchNormRun& sample) {
    const OperatorRun run = sample.forward(prepare_batch_norm_inference(sample.problem));
    const Values expected = batch_norm(sample.problem, sample.x, sample.shortcut, sample.parameters, sample.running);
    EXPECT_TRUE(close(run.take(Role::destination), expected, 1e-5));
    EXPECT_TRUE(close(whole_row(run, Role::running_mean), padded(sample.running.mean), 0));
    EXPECT_TRUE(close(whole_row(run, Role::running_variance), padded(sample.running.variance), 0));
  });
}

constexpr BatchNormGradientOptions kAllOptions[] = {
    {.two_gradients = false, .write_shortcut_gradient = false},
    {.two_gradients = true, .write_shortcut_gradient = false},
    {.two_gradients = false, .write_shortcut_gradient = true},
    {.two_gradients = true, .write_shortcut_gradient = true},
};

TEST_P(BatchNormShapes, Backward) {
  for_variants([](const BatchNormRun& sample) {
    const OperatorRun forward = sample.forward(prepare_batch_norm(sample.problem));
    for (const BatchNormGradientOptions& options : kAllOptions) {
      OperatorRun run = sample.backward(options, forward);
      expect_gradients(run.run(), sample.twin_gradients(options), options);
    }
  });
}

TEST_P(BatchNormShapes, BackwardInPlace) {
  for_variants([](const BatchNormRun& sample) {
    const OperatorRun forward = sample.forward(prepare_batch_norm(sample.problem));
    for (const BatchNormGradientOptions& options : kAllOptions) {
      OperatorRun run = sample.backward(options, forward);
      run.share(Role::diff_source, Role::source);
      if (options.write_shortcut_gradient) run.share(Role::diff_source2, Role::diff_destination);
      expect_gradients(run.run(), sample.twin_gradients(options), options);
    }
  });
}

void expect_inference_gradients(const BatchNormRun& sample, const BatchNormGradientOptions& options,
                                const OperatorRun& run) {
  const Values y = batch_norm(sample.problem, sample.x, sample.shortcut, sample.parameters, sample.running);
  const BatchNormGradients expected =
      batch_norm_inference_backward(sample.problem, y, sample.parameters.scale, sample.running.variance,
                                    options.two_gradients ? add(sample.dy, sample.dy2) : sample.dy);
  EXPECT_TRUE(close(run.take(Role::diff_source), expected.source, 1e-6));
  if (options.write_shortcut_gradient) {
    EXPECT_TRUE(close(run.take(Role::diff_source2), expected.shortcut, 1e-6));
  }
}

TEST_P(BatchNormShapes, InferenceBackward) {
  for_variants([](const BatchNormRun& sample) {
    const OperatorRun forward = sample.forward(prepare_batch_norm_inference(sample.problem));
    for (const BatchNormGradientOptions& options : kAllOptions) {
      OperatorRun run = sample.inference_backward(options, forward);
      expect_inference_gradients(sample, options, run.run());
    }
  });
}

TEST_P(BatchNormShapes, InferenceBackwardInPlace) {
  for_variants([](const BatchNormRun& sample) {
    const OperatorRun forward = sample.forward(prepare_batch_norm_inference(sample.problem));
    for (const BatchNormGradientOptions& options : kAllOptions) {
      OperatorRun over_source = sample.inference_backward(options, forward);
      over_source.share(Role::diff_source, Role::diff_destination);
      expect_inference_gradients(sample, options, over_source.run());
      if (!options.write_shortcut_gradient) continue;
      OperatorRun over_shortcut = sample.inference_backward(options, forward);
      over_shortcut.share(Role::diff_source2, Role::diff_destination);
      expect_inference_gradients(sample, options, over_shortcut.run());
    }
  });
}

// Here planes are small; shapes beyond the cache follow below.
INSTANTIATE_TEST_SUITE_P(Shapes, BatchNormShapes,
                         testing::Values(Shape{"few_channels", 3, 5, 4, 5}, Shape{"one_channel", 2, 1, 7, 3},
                                         Shape{"two_blocks", 4, 24, 3, 3}, Shape{"many_channels", 3, 70, 5, 3},
                                         Shape{"pixels", 9, 65, 1, 1}, Shape{"batch_1", 1, 17, 6, 6}),
                         [](const auto& row) { return std::string(row.param.name); });

// "by channels": each thread takes channels through both sweeps. There are too few for that in the others: in "some", a
// few blocks of channels fit into a cache and are taken at a time; in "none", not even one fits, so all are taken.
TEST(BatchNorm, ManyChannelsBeyondTheCache) {
  const std::int64_t many = 4 * test_device().threads() * channel_block();
  const std::int64_t few = many - channel_block();
  for (const Shape& shape :
       {Shape{"by channels", 4, many + 1, 48, 48}, Shape{"some", 4, few, 48, 48}, Shape{"none", 2, 9, 200, 180}}) {
    SCOPED_TRACE(shape.name);
    const BatchNormRun sample({.batch = shape.batch,
                               .channels = shape.channels,
                               .h = shape.h,
                               .w = shape.w,
                               .activation = Activation::relu,
                               .shortcut = true});
    const BatchNormGradientOptions options{.two_gradients = true, .write_shortcut_gradient = true};
    const OperatorRun forward = sample.forward(prepare_batch_norm(sample.problem));
    EXPECT_TRUE(close(forward.take(Role::destination), sample.twin(), 1e-5));
    OperatorRun run = sample.backward(options, forward);
    run.share(Role::diff_source, Role::source).share(Role::diff_source2, Role::diff_destination);
    expect_gradients(run.run(), sample.twin_gradients(options), options);
  }
}

// With one value per channel only the shift is left, and no gradient reaches the source.
TEST(BatchNorm, OneValuePerChannel) {
  const BatchNormRun sample({.batch = 1, .channels = 5, .h = 1, .w = 1});
  const OperatorRun forward = sample.forward(prepare_batch_norm(sample.problem));
  // In y = a x + b the parts with x cancel, and rounding is multiplied by a, which is up to 1 / sqrt(epsilon).
  EXPECT_TRUE(close(forward.take(Role::destination), sample.parameters.shift, 1e-4));
  OperatorRun run = sample.backward({}, forward);
  EXPECT_LE(largest(run.run().take(Role::diff_source)), 1e-3);
  EXPECT_TRUE(close(run.take_row(Role::diff_bias, 5), sample.dy, 1e-6));
}

TEST(BatchNorm, AConstantChannelGivesItsShift) {
  BatchNormRun sample({.batch = 2, .channels = 3, .h = 4, .w = 4});
  sample.x.assign(sample.x.size(), 123.456F);
  const OperatorRun run = sample.forward(prepare_batch_norm(sample.problem));
  // The mean may be off by a rounding, which 1 / sqrt(epsilon) multiplies.
  EXPECT_TRUE(close(run.take(Role::destination), sample.twin(), 2e-2));
}

// The error may be as large as if the source were rounded to floats once more, but no larger. A plain sum of squares
// would lose the deviation altogether.
TEST(BatchNorm, ASmallDeviationSurvivesALargeMean) {
  constexpr double kRatio = 1e4;
  const BatchNormRun sample(
      {.batch = 4, .channels = 20, .h = 15, .w = 15, .epsilon = 1e-8F, .activation = Activation::relu}, 0.1F,
      0.1 * kRatio);
  const double tolerance = 4 * kRatio * 0x1p-24;
  const OperatorRun forward = sample.forward(prepare_batch_norm(sample.problem));
  EXPECT_TRUE(close(forward.take(Role::destination), sample.twin(), tolerance));
  const ChannelStatistics statistics = statistics_of(sample.problem, sample.x);
  const ChannelStatistics running = updated(sample.problem, sample.running, statistics);
  EXPECT_TRUE(close(forward.take_row(Role::running_mean, 20), running.mean, 1e-6));
  EXPECT_TRUE(close(forward.take_row(Role::running_variance, 20), running.variance, 1e-6));
}

TEST(BatchNorm, TheGradientSurvivesALargeMean) {
  constexpr double kRatio = 1e4;
  const BatchNormRun sample({.batch = 4, .channels = 20, .h = 15, .w = 15, .epsilon = 1e-8F}, 0.1F, 0.1 * kRatio);
  const OperatorRun forward = sample.forward(prepare_batch_norm(sample.problem));
  OperatorRun backward = sample.backward({}, forward);
  const BatchNormGradients expected = sample.twin_gradients({});
  EXPECT_TRUE(close(backward.run().take(Role::diff_source), expected.source, 4 * kRatio * 0x1p-24));
  EXPECT_TRUE(close(backward.take_row(Role::diff_weights, 20), expected.scale, 1e-3));
}

TEST(BatchNorm, ChannelArraysHoldWholeBlocks) {
  const auto block = static_cast<std::size_t>(channel_block());
  EXPECT_EQ(channel_array_bytes(1), block * 4);
  EXPECT_EQ(channel_array_bytes(16), 16U * 4);
  EXPECT_EQ(channel_array_bytes(17), (16 + block) * 4);
}

}  // namespace
}  // namespace convoy::kernels
