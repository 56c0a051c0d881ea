#include "convoy/run/named_network.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/graph/network_text.h"
#include "convoy/models/zoo.h"

namespace convoy {
namespace {

class NamedNetworks : public TemporaryFolder {};

TEST_F(NamedNetworks, AreOfTheZooOrAFile) {
  EXPECT_TRUE(open_network("squeezenet1.1").text.empty());
  const auto file = folder_ / "my.net.toml";
  write_file_atomically(file, network_text(build_model("lenet")));
  const NamedNetwork network = open_network(file.string());
  EXPECT_EQ(network.name, "my.net");
  const Graph graph = build_network(network, {.input = {3, 32, 32}, .classes = 4, .label_smoothing = 0.1F});
  EXPECT_EQ(graph.layer(graph.output() - 1).shape, Shape({4}));
  EXPECT_EQ(std::get<op::SoftmaxCrossEntropy>(graph.layers().back().op).label_smoothing, 0.1F);
  const Graph squares = build_network(kept_network("my", network.text), {.loss = Loss::mean_squared_error});
  EXPECT_STREQ(kind_of(squares.layers().back().op), "mean_squared_error");
}

TEST_F(NamedNetworks, WhatIsNeitherIsRefused) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)open_network("resnet2O"); }, "did you mean \"resnet20\""));
  EXPECT_TRUE(throws_with<UserError>([] { (void)open_network("nowhere.toml"); }, "there is no file nowhere.toml"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)open_network(folder_.string()); }, "is a folder"));
  write_file_atomically(folder_ / "empty.toml", "");
  EXPECT_TRUE(throws_with<UserError>([&] { (void)open_network((folder_ / "empty.toml").string()); }, "is empty"));
  write_file_atomically(folder_ / "large.toml", std::string((4 << 20) + 1, '#'));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)open_network((folder_ / "large.toml").string()); }, "less than 4 MB"));
}

}  // namespace
}  // namespace convoy
