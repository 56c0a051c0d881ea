#include "convoy/train/weight_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Named = std::vector<NamedTensor>;

NamedTensor tensor(const std::string& name, const Shape& shape) {
  return {name, shape, std::vector<float>(static_cast<std::size_t>(shape.count()))};
}

// Of a small network: a convolution, a batch norm and the last layer.
Named network(const std::string& prefix = "", const std::string& head = "fc", std::int64_t classes = 10) {
  return {tensor(prefix + "conv1.weight", {8, 3, 3, 3}), tensor(prefix + "bn1.weight", {8}),
          tensor(prefix + head + ".weight", {classes, 8}), tensor(prefix + head + ".bias", {classes})};
}

std::vector<std::string> fitted_names(const FittedNames& fitted) {
  std::vector<std::string> names;
  for (const NamedTensor& each : fitted.tensors) names.push_back(each.name);
  return names;
}

constexpr auto kFits = [](const FittedNames& fitted) {
  return fitted_names(fitted) == std::vector<std::string>{"conv1.weight", "bn1.weight", "fc.weight", "fc.bias"};
};

TEST(WeightNames, ThatFitStayAsTheyAre) {
  const FittedNames fitted = fit_names(network(), network());
  EXPECT_EQ(fitted.tensors, network());
  EXPECT_THAT(fitted.notes, IsEmpty());
}

TEST(WeightNames, LoseWhatWrappersPutInFront) {
  for (const char* const prefix : {"module.", "model.", "_orig_mod.", "module.model.", "_orig_mod.module."}) {
    EXPECT_TRUE(kFits(fit_names(network(prefix), network()))) << prefix;
  }
  EXPECT_THAT(fit_names(network("module."), network()).notes, ElementsAre("\"module.\" taken off 4 names"));
}

TEST(WeightNames, KeepAPrefixThatTheNetworkHasToo) {
  EXPECT_THAT(fit_names(network("model."), network("model.")).notes, IsEmpty());
}

TEST(WeightNames, OfTheLastLayerAreTakenForTheNetworks) {
  for (const char* const head : {"classifier", "head", "linear", "classifier.1", "last_linear"}) {
    const FittedNames fitted = fit_names(network("module.", head), network());
    EXPECT_TRUE(kFits(fitted)) << head;
    EXPECT_THAT(fitted.notes, testing::Contains("\"" + std::string(head) + "\" taken for \"fc\""));
  }
  EXPECT_TRUE(kFits(fit_names(network("", "classifier", 1000), network()))) << "of other classes, which is said later";
}

TEST(WeightNames, OfLayersThatMayBeAnyStay) {
  EXPECT_FALSE(kFits(fit_names(network("", "attention"), network())));
  Named two = network("", "classifier");
  two.push_back(tensor("head.weight", {10, 8}));
  EXPECT_THAT(fit_names(two, network()).notes, IsEmpty()) << "one of two heads would be a guess";
}

TEST(WeightNames, OfCountersAreLeftOut) {
  Named tensors = network();
  tensors.push_back({"bn1.num_batches_tracked", {}, std::vector<std::int64_t>{3}});
  EXPECT_EQ(fit_names(tensors, network()).tensors, network());
}

}  // namespace
}  // namespace convoy
