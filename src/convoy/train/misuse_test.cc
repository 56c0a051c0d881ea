// The errors for programs whose network, data, optimizer and replica do not belong together.
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/solo/solo_transport.h"
#include "convoy/sync/replica.h"
#include "convoy/train/fitting.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

testing::AssertionResult refused(const std::function<void()>& action, const std::string& part) {
  return throws_with<UserError>(action, part);
}

const TrainerOptions kOptions{.epochs = 1, .batch = 10, .loader_threads = 0};

// A trainer of small parts, one of which a test replaces by another.
class Misuse : public testing::Test {
 protected:
  TrainerParts parts() {
    return {small_.network, *small_.optimizer, [](std::int64_t) { return 0.1; }, *small_.source, small_.evaluator};
  }

  SmallTraining small_{kOptions};
};

TEST_F(Misuse, ImagesAreThoseTheNetworkTakes) {
  const auto larger = data::make_synthetic_source({.shape = {3, 8, 8}, .classes = 3, .count = 50});
  const TrainerParts wrong{small_.network, *small_.optimizer, [](std::int64_t) { return 0.1; }, *larger,
                           small_.evaluator};
  EXPECT_TRUE(
      refused([&] { Trainer(wrong, kOptions); }, "layer \"input\" takes 1x8x8, but the images of synthetic:3x8x8"));
  EXPECT_TRUE(refused([&] { Evaluator(small_.graph, *larger, {}); }, "layer \"input\" takes 1x8x8"));
}

TEST_F(Misuse, EveryClassHasAScore) {
  const auto more = data::make_synthetic_source({.shape = {1, 8, 8}, .classes = 4, .count = 50});
  const TrainerParts wrong{small_.network, *small_.optimizer, [](std::int64_t) { return 0.1; }, *more,
                           small_.evaluator};
  EXPECT_TRUE(refused([&] { Trainer(wrong, kOptions); }, "layer \"softmax_cross_entropy1\" tells 3 classes apart"));
  EXPECT_TRUE(refused([&] { Evaluator(small_.graph, *more, {}); }, "tells 3 classes apart"));
}

TEST_F(Misuse, ARowTakesAnImageOfAsManyNumbers) {
  Graph graph;
  softmax_cross_entropy(dense(input(graph, {64}), {.out = 3}));
  EXPECT_NO_THROW(require_fitting(graph, *small_.source));
  Graph shorter;
  softmax_cross_entropy(dense(input(shorter, {63}), {.out = 3}));
  EXPECT_TRUE(refused([&] { require_fitting(shorter, *small_.source); }, "takes 63, but the images"));
}

TEST_F(Misuse, TheNetworkIsCompiledForItsPieces) {
  TrainerOptions larger = kOptions;
  larger.batch = 11;
  EXPECT_TRUE(refused([&] { Trainer(parts(), larger); }, "compiled for a batch of 10, and a batch of 11 on 1 rank(s)"));
  larger.accumulate = 2;
  EXPECT_NO_THROW(Trainer(parts(), larger));
}

TEST_F(Misuse, ANetworkThatPredictsCannotBeTrained) {
  Network predicts(small_.graph, {.batch = 10, .training = false, .choices = &small_.choices});
  const TrainerParts wrong{predicts, *small_.optimizer, [](std::int64_t) { return 0.1; }, *small_.source,
                           small_.evaluator};
  EXPECT_TRUE(refused([&] { Trainer(wrong, kOptions); }, "compiled for prediction"));
}

TEST_F(Misuse, TheOptimizerIsOfTheNetworksArena) {
  const auto smaller = make_optimizer({}, 16);
  const TrainerParts wrong{small_.network, *smaller, [](std::int64_t) { return 0.1; }, *small_.source,
                           small_.evaluator};
  EXPECT_TRUE(refused([&] { Trainer(wrong, kOptions); }, "the optimizer was made for 16 parameters"));
}

TEST_F(Misuse, TheReplicaHoldsTheNetwork) {
  SoloTransport transport;
  Communicator communicator(transport);
  const ParameterTable& table = small_.network.plan().parameters;
  Replica elsewhere(communicator, table.arena_floats, table.trainable_floats, false, {});
  TrainerParts wrong = parts();
  wrong.replica = &elsewhere;
  EXPECT_TRUE(refused([&] { Trainer(wrong, kOptions); }, "make both as a ReplicaNetwork"));
}

TEST_F(Misuse, ThereIsALearningRate) {
  TrainerParts wrong = parts();
  wrong.learning_rate = nullptr;
  EXPECT_TRUE(refused([&] { Trainer(wrong, kOptions); }, "rate is empty"));
}

TEST_F(Misuse, ATallyCountsClassesItKnows) {
  Tally tally(3, LossKind::cross_entropy);
  const std::vector<float> scores(6);
  EXPECT_TRUE(refused([&] { tally.add(scores, std::vector<std::int32_t>{0, 3}); }, "sample 1 has label 3"));
  EXPECT_TRUE(refused([&] { tally.add(scores, std::vector<std::int32_t>{0, -1}); }, "has label -1"));
  EXPECT_TRUE(refused([&] { tally.add(scores, std::vector<std::int32_t>{0}); }, "have 3 scores, got 6"));
}

// A source with a label that is not a class; the step that reads it must say so.
class WrongLabel : public data::Source {
 public:
  [[nodiscard]] std::string name() const override { return "wrong"; }
  [[nodiscard]] Shape shape() const override { return {1, 8, 8}; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
  [[nodiscard]] std::int64_t size(data::Split /*split*/) const override { return 20; }
  [[nodiscard]] std::int32_t label(data::Split /*split*/, std::int64_t i) const override {
    return i == 7 ? 100'000'000 : 0;
  }
  void read(data::Split /*split*/, std::int64_t /*i*/, std::span<std::uint8_t> pixels) const override {
    std::ranges::fill(pixels, std::uint8_t{0});
  }
  [[nodiscard]] data::ChannelStatistics statistics() const override { return {.mean = {0.5F}, .deviation = {0.5F}}; }

 private:
  std::vector<std::string> classes_{"a", "b", "c"};
};

TEST_F(Misuse, ALabelThatIsNoClassEndsTraining) {
  const WrongLabel source;
  Trainer trainer({small_.network, *small_.optimizer, [](std::int64_t) { return 0.1; }, source, small_.evaluator},
                  kOptions);
  EXPECT_TRUE(refused([&] { (void)trainer.run(); }, "has label 100000000, but there are 3 classes"));
  Evaluator evaluator(small_.graph, source, {.compile = {.batch = 4}, .loader_threads = 0});
  EXPECT_TRUE(refused([&] { (void)evaluator.run(small_.network.parameters()); }, "has label 100000000"));
}

}  // namespace
}  // namespace convoy
