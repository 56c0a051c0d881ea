#include "convoy/train/network_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A network whose parameters, statistics and gradients have been through a few steps.
SmallTraining& trained(SmallTraining& training) {
  (void)training.trainer.run();
  return training;
}

std::vector<std::string> names_of(const std::vector<NamedTensor>& tensors) {
  std::vector<std::string> names;
  for (const NamedTensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

std::vector<float>& values_of(NamedTensor& tensor) { return std::get<std::vector<float>>(tensor.values); }

TEST(NetworkWeights, AreNamedAndShapedLikePyTorchs) {
  SmallTraining training({.batch = 16});
  const auto tensors = export_weights(training.network.parameters());
  EXPECT_THAT(names_of(tensors), ElementsAre("conv1.weight", "batch_norm1.weight", "batch_norm1.bias", "dense1.weight",
                                             "dense1.bias", "batch_norm1.running_mean", "batch_norm1.running_var"));
  EXPECT_EQ(tensors[0].shape, (Shape{8, 1, 3, 3}));
  EXPECT_EQ(tensors[3].shape, (Shape{3, 8}));
  EXPECT_EQ(tensors[6].shape, (Shape{8}));
}

TEST(NetworkWeights, ComeBackToTheBit) {
  SmallTraining from({.epochs = 2, .batch = 16});
  SmallTraining to({.epochs = 2, .batch = 16});
  const auto tensors = export_weights(trained(from).network.parameters());
  EXPECT_NE(export_weights(to.network.parameters()), tensors);
  import_weights(tensors, to.network.parameters());
  EXPECT_EQ(export_weights(to.network.parameters()), tensors);
  EXPECT_EQ(to.weights(), from.weights()) << "padding included";
}

TEST(NetworkWeights, ImportWantsAllOfThemInTheirShape) {
  SmallTraining training({.batch = 16});
  ParameterStore& store = training.network.parameters();
  for (std::size_t i = 0; i < export_weights(store).size(); ++i) {
    auto tensors = export_weights(store);
    const std::string name = tensors[i].name;
    tensors[i].shape = Shape{2, 2};
    values_of(tensors[i]).resize(4);
    EXPECT_TRUE(throws_with<DataError>([&] { import_weights(tensors, store); }, name));
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(throws_with<DataError>([&] { import_weights(tensors, store); }, name));
  }
}

TEST(NetworkWeights, NoNumbersAreRefusedByName) {
  SmallTraining training({.batch = 16});
  ParameterStore& store = training.network.parameters();
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    for (std::size_t i = 0; i < export_weights(store).size(); ++i) {
      auto tensors = export_weights(store);
      values_of(tensors[i]).back() = value;
      const std::string message = "the tensor '" + tensors[i].name + "' holds ";
      EXPECT_TRUE(throws_with<DataError>([&] { import_weights(tensors, store); }, message));
      EXPECT_TRUE(throws_with<DataError>([&] { (void)transfer_weights(tensors, store); }, message));
      tensors[i].name = "not used";
      (void)transfer_weights(tensors, store);
    }
  }
}

// With 5 classes instead of 3.
std::vector<NamedTensor> with_other_head(std::vector<NamedTensor> tensors) {
  for (NamedTensor& tensor : tensors) {
    if (!tensor.name.starts_with("dense")) continue;
    tensor.shape = tensor.name == "dense1.weight" ? Shape{5, 8} : Shape{5};
    values_of(tensor).assign(static_cast<std::size_t>(tensor.shape.count()), 9.0F);
  }
  return tensors;
}

TEST(NetworkWeights, TransferLeavesAHeadOfOtherClassesFresh) {
  SmallTraining from({.epochs = 1, .batch = 16});
  SmallTraining to({.batch = 16});
  auto tensors = export_weights(trained(from).network.parameters());
  const auto before = export_weights(to.network.parameters());
  const WeightTransfer transfer = transfer_weights(with_other_head(tensors), to.network.parameters());
  EXPECT_EQ(transfer.taken, 5);
  EXPECT_THAT(transfer.kept_fresh,
              ElementsAre("dense1.weight: 5x8 in the file, 3x8 here", "dense1.bias: 5 in the file, 3 here"));
  EXPECT_THAT(transfer.unused, IsEmpty());
  auto expected = tensors;
  expected[3] = before[3];
  expected[4] = before[4];
  EXPECT_EQ(export_weights(to.network.parameters()), expected);
}

TEST(NetworkWeights, TransferSaysWhatIsMissingAndWhatIsLeftOver) {
  SmallTraining training({.batch = 16});
  auto tensors = export_weights(training.network.parameters());
  tensors[0].name = "stem.weight";
  tensors.push_back({"batch_norm1.num_batches_tracked", Shape{1}, std::vector<std::int64_t>{7}});
  const WeightTransfer transfer = transfer_weights(tensors, training.network.parameters());
  EXPECT_EQ(transfer.taken, 6);
  EXPECT_THAT(transfer.kept_fresh, ElementsAre("conv1.weight: not in the file"));
  EXPECT_THAT(transfer.unused, ElementsAre("stem.weight", "batch_norm1.num_batches_tracked"));
}

TEST(NetworkWeights, WholeNumbersAreNotTakenForWeights) {
  SmallTraining training({.batch = 16});
  auto tensors = export_weights(training.network.parameters());
  tensors[4].values = std::vector<std::int64_t>{1, 2, 3};
  const auto before = training.weights();
  EXPECT_EQ(transfer_weights(tensors, training.network.parameters()).taken, 6);
  EXPECT_EQ(training.weights(), before);
}

TEST(OptimizerMemory, ComesBackToTheBit) {
  SmallTraining from({.epochs = 2, .batch = 16});
  SmallTraining to({.batch = 16});
  const auto tensors = export_optimizer(*trained(from).optimizer, from.network.parameters());
  EXPECT_EQ(tensors.size(), 5U);
  EXPECT_EQ(tensors[0].name, "velocity/conv1.weight");
  EXPECT_EQ(tensors[0].shape, (Shape{8, 1, 3, 3}));
  import_optimizer(tensors, to.network.parameters(), *to.optimizer);
  const auto expected = from.optimizer->state()[0].values;
  const auto actual = to.optimizer->state()[0].values;
  EXPECT_TRUE(std::ranges::equal(actual, expected));
  EXPECT_TRUE(std::ranges::any_of(actual, [](float value) { return value != 0; }));
}

TEST(OptimizerMemory, ImportWantsAllOfIt) {
  SmallTraining training({.batch = 16});
  auto tensors = export_optimizer(*training.optimizer, training.network.parameters());
  tensors.pop_back();
  EXPECT_TRUE(throws_with<DataError>(
      [&] { import_optimizer(tensors, training.network.parameters(), *training.optimizer); }, "velocity/dense1.bias"));
}

TEST(OptimizerMemory, HasNothingOfFrozenParameters) {
  const Graph graph = small_graph();
  const Choices choices = untuned(graph);
  Network network(graph, {.batch = 4, .threads = 1, .choices = &choices, .frozen = {"conv1.weight", "dense1.bias"}});
  const auto optimizer = make_optimizer({.kind = OptimizerKind::adam}, network.parameters().table().trainable_floats);
  const auto tensors = export_optimizer(*optimizer, network.parameters());
  EXPECT_THAT(names_of(tensors), ElementsAre("first_moment/batch_norm1.weight", "first_moment/batch_norm1.bias",
                                             "first_moment/dense1.weight", "second_moment/batch_norm1.weight",
                                             "second_moment/batch_norm1.bias", "second_moment/dense1.weight"));
  EXPECT_NO_THROW(import_optimizer(tensors, network.parameters(), *optimizer));
}

}  // namespace
}  // namespace convoy
