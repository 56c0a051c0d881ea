// Ranks that update the same numbers must get the same bits, however slices are cut and ordered and however many
// threads there are.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <span>
#include <thread>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/rng.h"
#include "convoy/optim/element_wise_test.h"
#include "convoy/optim/optimizer.h"
#include "convoy/optim/random_floats_test.h"

namespace convoy {
namespace {

constexpr std::size_t kCount = 70000;
constexpr std::uint64_t kSteps = 5;
constexpr float kScale = 0.7F;

struct Slice {
  std::size_t offset;
  std::size_t count;
};

// A training with made-up gradients, always the same for the same options.
class Training {
 public:
  explicit Training(OptimizerKind kind)
      : parameters(random_floats(kCount, 1)),
        optimizer(
            make_optimizer({.kind = kind, .weight_decay = 0.01}, kCount,
                           std::vector<DecayRange>{{.offset = 100, .count = 9}, {.offset = 5000, .count = 50000}})) {}

  void begin() {
    gradients = random_floats(kCount, 100 + static_cast<std::uint64_t>(optimizer->steps()));
    optimizer->begin_step(0.01);
  }

  void update(const Slice& slice) {
    optimizer->update(slice.offset, std::span(parameters).subspan(slice.offset, slice.count),
                      std::span(gradients).subspan(slice.offset, slice.count), kScale);
  }

  void step() {
    begin();
    update({.offset = 0, .count = kCount});
  }

  void expect_equal(Training& other) {
    EXPECT_EQ(parameters, other.parameters);
    const auto mine = optimizer->state();
    const auto others = other.optimizer->state();
    ASSERT_EQ(mine.size(), others.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
      EXPECT_EQ(mine[i].name, others[i].name);
      EXPECT_TRUE(std::ranges::equal(mine[i].values, others[i].values)) << mine[i].name;
    }
  }

  std::vector<float> parameters;
  std::vector<float> gradients;
  std::unique_ptr<Optimizer> optimizer;
};

// Slices that are cut anywhere and come in any order.
std::vector<Slice> random_slices(Rng& rng) {
  std::vector<std::size_t> cuts = {0, kCount};
  for (int i = 0; i < 12; ++i) cuts.push_back(rng.below(kCount));
  for (std::size_t i = 0; i < 4; ++i) cuts.push_back(5000 + i);
  std::ranges::sort(cuts);
  std::vector<Slice> slices;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    slices.push_back({.offset = cuts[i], .count = cuts[i + 1] - cuts[i]});
  }
  for (std::size_t i = slices.size(); i > 1; --i) {
    std::swap(slices[i - 1], slices[rng.below(static_cast<std::uint32_t>(i))]);
  }
  return slices;
}

class OptimizerBits : public testing::TestWithParam<std::string> {
 protected:
  static OptimizerKind kind() { return optimizer_named(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Kinds, OptimizerBits, testing::ValuesIn(element_wise_names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(OptimizerBits, DoNotDependOnCuts) {
  Training whole(kind());
  Training slices(kind());
  Rng rng(7);
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    whole.step();
    slices.begin();
    for (const Slice& slice : random_slices(rng)) slices.update(slice);
  }
  whole.expect_equal(slices);
}

TEST_P(OptimizerBits, DoNotDependOnOpenMpThreads) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer does not see libgomp's barriers";
#endif
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  Training alone(kind());
  for (std::uint64_t step = 0; step < kSteps; ++step) alone.step();
  for (const int threads : {2, 3, 5}) {
    SCOPED_TRACE(threads);
    omp_set_num_threads(threads);
    Training together(kind());
    for (std::uint64_t step = 0; step < kSteps; ++step) together.step();
    alone.expect_equal(together);
  }
  omp_set_num_threads(before);
}

TEST_P(OptimizerBits, DisjointSlicesMayComeFromSeveralThreads) {
  Training one(kind());
  Training two(kind());
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    one.step();
    two.begin();
    const std::size_t cut = 1000 * (step + 1) + step;
    std::thread other([&] { two.update({.offset = cut, .count = kCount - cut}); });
    two.update({.offset = 0, .count = cut});
    other.join();
  }
  one.expect_equal(two);
}

TEST_P(OptimizerBits, ContinueFromSavedState) {
  Training through(kind());
  for (std::uint64_t step = 0; step < kSteps; ++step) through.step();
  Training resumed(kind());
  resumed.parameters = through.parameters;
  for (std::size_t i = 0; i < through.optimizer->state().size(); ++i) {
    std::ranges::copy(through.optimizer->state()[i].values, resumed.optimizer->state()[i].values.begin());
  }
  resumed.optimizer->set_steps(through.optimizer->steps());
  EXPECT_EQ(resumed.optimizer->steps(), static_cast<std::int64_t>(kSteps));
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    through.step();
    resumed.step();
  }
  through.expect_equal(resumed);
}

// Processors with and without fused multiply-adds agree only when every operation rounds.
TEST(Rounding, FollowsEveryOperation) {
  const std::vector<float> before = random_floats(1000, 1);
  const std::vector<float> gradients = random_floats(1000, 2);
  std::vector<float> parameters = before;
  const auto optimizer = make_optimizer({.kind = OptimizerKind::sgd, .weight_decay = 0.3}, 1000);
  optimizer->begin_step(0.1);
  optimizer->update(0, parameters, gradients, kScale);
  for (std::size_t i = 0; i < 1000; ++i) {
    volatile float scaled = kScale * gradients[i];
    volatile float decay = 0.3F * before[i];
    volatile float sum = scaled + decay;
    volatile float step = 0.1F * sum;
    EXPECT_EQ(parameters[i], before[i] - step) << i;
  }
}

TEST(OptimizerState, HasNamesOfItsOwn) {
  const auto names = [](OptimizerKind kind) {
    std::vector<std::string> all;
    for (const OptimizerState& state : make_optimizer({.kind = kind}, 5)->state()) {
      EXPECT_EQ(state.values.size(), 5U);
      all.push_back(state.name);
    }
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(OptimizerKind::sgd), Names());
  EXPECT_EQ(names(OptimizerKind::momentum), Names({"velocity"}));
  EXPECT_EQ(names(OptimizerKind::nesterov), Names({"velocity"}));
  EXPECT_EQ(names(OptimizerKind::adam), Names({"first_moment", "second_moment"}));
  EXPECT_EQ(names(OptimizerKind::adamw), Names({"first_moment", "second_moment"}));
  EXPECT_EQ(names(OptimizerKind::adadelta), Names({"squared_gradient", "squared_update"}));
}

// The learning rate of a restored step is unknown, so updates must wait for the next begin_step().
TEST(OptimizerState, AfterARestoreAStepMustBegin) {
  Training training(OptimizerKind::adam);
  training.step();
  training.optimizer->set_steps(1);
  EXPECT_THROW(training.update({.offset = 0, .count = 1}), UserError);
  EXPECT_THROW(training.optimizer->set_steps(-1), UserError);
}

}  // namespace
}  // namespace convoy
