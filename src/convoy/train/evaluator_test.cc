#include "convoy/train/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

// 60 images for training, 12 for testing.
std::unique_ptr<data::Source> small_source() {
  return data::make_synthetic_source({.shape = {1, 8, 8}, .classes = 3, .count = 60});
}

// Without batch norm, so that images can be evaluated one at a time.
Graph plain_graph(bool squares) {
  Graph graph;
  Value x = input(graph, {1, 8, 8});
  x = flatten(max_pool(relu(conv(x, {.out = 4, .kernel = 3, .pad = 1})), {.kernel = 2, .stride = 2}));
  x = dense(x, {.out = 3});
  squares ? mean_squared_error(x) : softmax_cross_entropy(x);
  return graph;
}

std::vector<float> normalised(const data::Source& source, const data::ChannelStatistics& by, std::int64_t i) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(source.shape().count()));
  source.read(data::Split::test, i, pixels);
  std::vector<float> image;
  for (const std::uint8_t pixel : pixels) {
    image.push_back((static_cast<float>(pixel) / 255.0F - by.mean[0]) / by.deviation[0]);
  }
  return image;
}

struct Naive {
  double loss = 0;
  std::int64_t right = 0;
};

double loss_of(std::span<const float> scores, std::int32_t label, bool squares) {
  double sum = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double target = static_cast<std::int32_t>(k) == label ? 1 : 0;
    sum += squares ? std::pow(static_cast<double>(scores[k]) - target, 2) / static_cast<double>(scores.size())
                   : std::exp(static_cast<double>(scores[k]));
  }
  return squares ? sum : std::log(sum) - static_cast<double>(scores[static_cast<std::size_t>(label)]);
}

// Sends one image after the other through a network with a batch of one.
Naive naive_evaluation(Network& network, const data::Source& source, const data::ChannelStatistics& by, bool squares) {
  Naive naive;
  const std::int64_t count = source.size(data::Split::test);
  for (std::int64_t i = 0; i < count; ++i) {
    std::ranges::copy(normalised(source, by, i), network.input().begin());
    const std::int32_t label = source.label(data::Split::test, i);
    network.labels()[0] = label;
    network.forward();
    const auto scores = network.logits();
    naive.loss += loss_of(scores, label, squares) / static_cast<double>(count);
    naive.right += std::ranges::max_element(scores) - scores.begin() == label ? 1 : 0;
  }
  return naive;
}

void expect_equals_naive(bool squares, const data::ChannelStatistics& statistics) {
  const Graph graph = plain_graph(squares);
  const Choices choices = untuned(graph);
  const auto source = small_source();
  Network network(graph, {.batch = 1, .threads = 1, .choices = &choices});
  network.parameters().initialise(graph, Initialiser::he_normal, 3);
  const auto& by = statistics.mean.empty() ? source->statistics() : statistics;
  const Naive naive = naive_evaluation(network, *source, by, squares);
  // 12 images: in batches of 5 the last has 2.
  for (const std::int64_t batch : {5, 12, 4}) {
    Evaluator evaluator(graph, *source,
                        {.compile = {.batch = batch, .threads = 1, .choices = &choices}, .statistics = statistics});
    const Metrics metrics = evaluator.run(network.parameters()).metrics();
    EXPECT_EQ(metrics.samples, 12);
    EXPECT_NEAR(metrics.loss, naive.loss, 1e-5 * std::abs(naive.loss)) << batch;
    EXPECT_NEAR(metrics.top1, static_cast<double>(naive.right) / 12, 1e-12) << batch;
  }
}

TEST(Evaluator, EqualsANaiveLoop) { expect_equals_naive(false, {}); }

TEST(Evaluator, KnowsMeanSquaredError) { expect_equals_naive(true, {}); }

TEST(Evaluator, NormalisesByTheStatisticsItIsGiven) {
  expect_equals_naive(false, {.mean = {0.1F}, .deviation = {0.9F}});
}

TEST(Evaluator, CountsEachImageUnderItsClass) {
  SmallTraining training({.batch = 16});
  const Tally tally = training.evaluator.run(training.network.parameters());
  std::vector<std::int64_t> expected(3);
  for (std::int64_t i = 0; i < training.source->size(data::Split::test); ++i) {
    ++expected[static_cast<std::size_t>(training.source->label(data::Split::test, i))];
  }
  for (int row = 0; row < 3; ++row) {
    EXPECT_EQ(tally.confused(row, 0) + tally.confused(row, 1) + tally.confused(row, 2),
              expected[static_cast<std::size_t>(row)]);
  }
}

TEST(Evaluator, TellsHowManyAreDoneAndStopsWhenToldTo) {
  SmallTraining training({.batch = 16});  // evaluates 10 images in batches of 8
  std::vector<std::int64_t> done;
  (void)training.evaluator.run(training.network.parameters(), [&](std::int64_t count) {
    done.push_back(count);
    return true;
  });
  EXPECT_EQ(done, (std::vector<std::int64_t>{8, 10}));
  const Tally partial = training.evaluator.run(training.network.parameters(), [](std::int64_t) { return false; });
  EXPECT_EQ(partial.metrics().samples, 8);
}

TEST(Evaluator, LooksAtTheParametersAsTheyAreNow) {
  SmallTraining training({.epochs = 30, .batch = 16}, small_graph(true, 0));
  const double before = training.evaluator.run(training.network.parameters()).metrics().loss;
  (void)training.trainer.run();
  EXPECT_LT(training.evaluator.run(training.network.parameters()).metrics().loss, 0.8 * before);
}

}  // namespace
}  // namespace convoy
