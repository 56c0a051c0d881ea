// Dropout draws as its twin does, and what both draw is random in the right way.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/reference/elementwise.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

constexpr std::uint64_t kStream = 7;
constexpr StepInfo kStep{.seed = 11, .step = 5};

// Applies dropout to ones: each becomes zero or 1 / (1 - rate).
Values drop_ones(const Layout::Dims& dims, float rate, const StepInfo& step, std::uint64_t stream = kStream) {
  std::int64_t count = 1;
  for (std::int64_t dim : dims) count *= dim;
  OperatorRun run(prepare_dropout(Layout::plain(dims), rate, stream));
  return run.give(Role::source, Values(static_cast<std::size_t>(count), 1.0))
      .give_step(step)
      .run()
      .take(Role::destination);
}

double share_of(const Values& values, const std::function<bool(std::size_t)>& holds) {
  double count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) count += holds(i) ? 1 : 0;
  return count / static_cast<double>(values.size());
}

double share_kept(const Values& y) {
  return share_of(y, [&](std::size_t i) { return y[i] != 0; });
}

// Two independent masks with a rate of one half agree in half of the elements.
testing::AssertionResult independent(const Values& a, const Values& b) {
  const double agreeing = share_of(a, [&](std::size_t i) { return a[i] == b[i]; });
  if (std::abs(agreeing - 0.5) < 0.02) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "a share of " << agreeing << " agrees";
}

TEST(Dropout, AgreesWithTheTwin) {
  for (const std::int64_t floats : {1, 7, 8, 77, 1000}) {
    for (const float rate : {0.0F, 0.1F, 0.5F, 0.9F}) {
      SCOPED_TRACE(testing::Message() << floats << " floats at rate " << rate);
      const DropoutDraws draws{.rate = rate, .seed = 3, .step = (1ULL << 33U) + 5, .stream = 9, .first_sample = 1000};
      const StepInfo info{.seed = draws.seed, .step = draws.step, .first_sample = draws.first_sample};
      const auto count = static_cast<std::int64_t>(3 * floats);
      const Values x = random_values(count, 1);
      const Values dy = random_values(count, 2);
      OperatorRun forward(prepare_dropout(Layout::plain({3, floats}), rate, draws.stream));
      EXPECT_TRUE(close(forward.give(Role::source, x).give_step(info).run().take(Role::destination),
                        dropout(draws, 3, x), 1e-6));
      OperatorRun backward(prepare_dropout_backward(Layout::plain({3, floats}), rate));
      backward.take_over(Role::workspace, forward).give(Role::diff_destination, dy).run();
      EXPECT_TRUE(close(backward.take(Role::diff_source), dropout(draws, 3, dy), 1e-6));
    }
  }
}

TEST(Dropout, KeepsItsShareAndScalesIt) {
  for (const float rate : {0.1F, 0.25F, 0.5F, 0.8F}) {
    const Values y = drop_ones({64, 1000}, rate, kStep);
    EXPECT_NEAR(share_kept(y), 1 - rate, 0.01) << rate;
    for (double value : y) EXPECT_TRUE(value == 0 || std::abs(value - 1 / (1 - rate)) < 1e-6) << value;
  }
}

TEST(Dropout, KeepsEverythingAtRateZero) { EXPECT_EQ(drop_ones({3, 100}, 0.0F, kStep), Values(300, 1.0)); }

TEST(Dropout, SameStepGivesTheSameMask) {
  EXPECT_EQ(drop_ones({8, 100}, 0.5F, kStep), drop_ones({8, 100}, 0.5F, kStep));
}

TEST(Dropout, AnotherSeedStepOrStreamGivesAnotherMask) {
  const Layout::Dims dims = {32, 500};
  const Values y = drop_ones(dims, 0.5F, kStep);
  EXPECT_TRUE(independent(y, drop_ones(dims, 0.5F, {.seed = 12, .step = 5})));
  EXPECT_TRUE(independent(y, drop_ones(dims, 0.5F, {.seed = 11, .step = 6})));
  EXPECT_TRUE(independent(y, drop_ones(dims, 0.5F, kStep, kStream + 1)));
}

TEST(Dropout, ReadsTheStepAnewInEveryRun) {
  OperatorRun run(prepare_dropout(Layout::plain({32, 500}), 0.5F, kStream));
  run.give(Role::source, Values(16000, 1.0));
  EXPECT_EQ(run.give_step(kStep).run().take(Role::destination), drop_ones({32, 500}, 0.5F, kStep));
  const StepInfo next{.seed = 11, .step = 6};
  EXPECT_EQ(run.give_step(next).run().take(Role::destination), drop_ones({32, 500}, 0.5F, next));
}

// No two pairs (step, sample) have the same mask, over far more steps than a field of a few bits could hold.
TEST(Dropout, SamplesOfAllStepsAreIndependent) {
  const Values first = drop_ones({1, 8000}, 0.5F, {.seed = 11});
  for (const std::uint64_t step : {0ULL, 1ULL, 4096ULL, 1ULL << 20U, 1ULL << 32U, 1ULL << 40U}) {
    for (const std::uint64_t sample : {0ULL, 1ULL, 256ULL, 4096ULL, 1ULL << 20U, 1ULL << 32U}) {
      if (step == 0 && sample == 0) continue;
      const StepInfo info{.seed = 11, .step = step, .first_sample = sample};
      EXPECT_TRUE(independent(first, drop_ones({1, 8000}, 0.5F, info))) << "step " << step << " sample " << sample;
    }
  }
  for (const std::uint64_t step : {4096ULL, 1ULL << 20U}) {
    const Values later = drop_ones({1, 8000}, 0.5F, {.seed = 11, .step = step});
    EXPECT_TRUE(independent(later, drop_ones({1, 8000}, 0.5F, {.seed = 11, .first_sample = step / 4096})));
  }
}

TEST(Dropout, ElementsOfASampleAreIndependent) {
  const Values y = drop_ones({1, 64000}, 0.5F, kStep);
  for (const std::int64_t lag : {1, 2, 7, 8, 16, 128, 1024}) {
    EXPECT_TRUE(independent(Values(y.begin(), y.end() - lag), Values(y.begin() + lag, y.end()))) << lag;
  }
}

TEST(Dropout, MasksBelongToSamplesOfTheGlobalBatch) {
  const Values x = random_values(6 * 75, 1);
  const auto drop = [&](std::int64_t from, std::int64_t count) {
    OperatorRun run(prepare_dropout(Layout::plain({count, 75}), 0.3F, kStream));
    run.give(Role::source, Values(x.begin() + from * 75, x.begin() + (from + count) * 75));
    run.give_step({.seed = 3, .step = 9, .first_sample = 100 + static_cast<std::uint64_t>(from)});
    return run.run().take(Role::destination);
  };
  Values halves = drop(0, 2);
  const Values second = drop(2, 4);
  halves.insert(halves.end(), second.begin(), second.end());
  EXPECT_EQ(drop(0, 6), halves);
}

TEST(Dropout, BackwardUsesTheMask) {
  const Layout layout = Layout::plain({5, 77});
  const Values x = random_values(5 * 77, 1);
  const Values dy = random_values(5 * 77, 2);
  OperatorRun forward(prepare_dropout(layout, 0.4F, kStream));
  const Values y = forward.give(Role::source, x).give_step(kStep).run().take(Role::destination);
  Values expected = dy;
  for (std::size_t i = 0; i < dy.size(); ++i) expected[i] *= y[i] == 0 ? 0 : 1 / 0.6;

  OperatorRun backward(prepare_dropout_backward(layout, 0.4F));
  backward.take_over(Role::workspace, forward).give(Role::diff_destination, dy).run();
  EXPECT_TRUE(close(backward.take(Role::diff_source), expected, 1e-6));

  OperatorRun in_place(prepare_dropout_backward(layout, 0.4F));
  in_place.take_over(Role::workspace, forward).give(Role::diff_destination, dy);
  in_place.share(Role::diff_source, Role::diff_destination).run();
  EXPECT_TRUE(close(in_place.take(Role::diff_source), expected, 1e-6));
}

TEST(Dropout, KeepsPaddingZeroInBlockedLayouts) {
  const Values x = random_values(2 * 5 * 9, 1);
  OperatorRun run(prepare_dropout(Layout::blocked({2, 5, 3, 3}), 0.5F, kStream));
  const Values y = run.give(Role::source, x).give_step(kStep).run().take(Role::destination);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(y[i] == 0 || y[i] == 2 * x[i]);
}

}  // namespace
}  // namespace convoy::kernels
