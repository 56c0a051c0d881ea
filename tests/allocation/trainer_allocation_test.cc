// A whole step of training on one rank allocates nothing: taking a batch, computing it, updating, telling observers.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "allocation_count.h"
#include "convoy/base/rng.h"
#include "convoy/data/source/memory_source.h"
#include "convoy/models/zoo.h"
#include "convoy/train/trainer.h"

namespace convoy::allocation {
namespace {

// Counts from the end of one step to the end of the next, except for the first steps, which fill caches.
class CountSteps : public Observer {
 public:
  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override {
    const Count count = stop();
    constexpr std::int64_t kWarmUp = 3;
    if (event.step_of_epoch > kWarmUp) {
      EXPECT_EQ(count.own, 0) << "in step " << event.step_of_epoch;
      EXPECT_GT(count.executes, 0);
      ++counted_;
    }
    start();
  }
  void on_end(const Trainer& /*trainer*/, const Outcome& /*outcome*/) override { (void)stop(); }

  [[nodiscard]] int counted() const { return counted_; }

 private:
  int counted_ = 0;
};

// In memory, as MNIST and CIFAR are. Sources that read files may allocate.
std::unique_ptr<data::Source> source_in_memory(std::size_t samples) {
  Rng rng(1);
  data::Samples train{.pixels = data::Bytes(samples * 3 * 16 * 16), .labels = {}};
  for (std::uint8_t& pixel : train.pixels) pixel = static_cast<std::uint8_t>(rng.below(256));
  for (std::size_t i = 0; i < samples; ++i) train.labels.push_back(static_cast<std::int32_t>(i % 5));
  return std::make_unique<data::MemorySource>(
      "noise", Shape{3, 16, 16}, std::vector<std::string>{"a", "b", "c", "d", "e"}, std::move(train), data::Samples{},
      data::ChannelStatistics{.mean = {0.5F, 0.5F, 0.5F}, .deviation = {0.3F, 0.3F, 0.3F}});
}

void expect_no_allocations(TrainerOptions options) {
  const Graph graph = build_model("resnet20", {.input = {3, 16, 16}, .classes = 5});
  const auto source = source_in_memory(240);
  Network network(graph, {.batch = rows_of_piece(options), .threads = 2});
  network.parameters().initialise(graph, Initialiser::he_normal, 1);
  const auto optimizer =
      make_optimizer({.kind = OptimizerKind::momentum}, network.parameters().table().trainable_floats);
  Evaluator evaluator(graph, *source, {.compile = {.batch = 6}});
  Trainer trainer({network, *optimizer, [](std::int64_t) { return 0.01; }, *source, evaluator}, options);
  CountSteps steps;
  trainer.add(steps);
  (void)trainer.run();
  EXPECT_EQ(steps.counted(), 240 / options.batch - 3);
}

TEST(TrainerAllocation, NoneInSteps) {
  for (const int loader_threads : {0, 1}) {
    SCOPED_TRACE(testing::Message() << loader_threads << " threads load");
    expect_no_allocations({.batch = 8,
                           .clip_norm = 1,
                           .augment = {.crop_padding = 2, .flip = true},
                           .loader_threads = loader_threads,
                           .evaluate_every = 0});
  }
}

TEST(TrainerAllocation, NoneInStepsOfSeveralPieces) {
  expect_no_allocations({.batch = 8, .instances = 2, .accumulate = 2, .loader_threads = 1, .evaluate_every = 0});
}

}  // namespace
}  // namespace convoy::allocation
