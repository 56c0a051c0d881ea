#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/graph/network_text.h"
#include "convoy/graph/parameters.h"
#include "convoy/models/zoo.h"

namespace convoy {
namespace {

class ZooText : public testing::TestWithParam<int> {
 protected:
  static const ZooEntry& entry() { return zoo()[static_cast<std::size_t>(GetParam())]; }
};

void expect_same_network(const Graph& built, const Graph& read) {
  ASSERT_EQ(built.size(), read.size());
  for (LayerId id = 0; id < built.size(); ++id) {
    const Layer& layer = built.layer(id);
    EXPECT_EQ(layer.name, read.layer(id).name);
    EXPECT_EQ(layer.op.index(), read.layer(id).op.index()) << layer.name;
    EXPECT_EQ(layer.inputs, read.layer(id).inputs) << layer.name;
    EXPECT_EQ(layer.shape, read.layer(id).shape) << layer.name;
  }
  const std::vector<Parameter> parameters = parameters_of(built);
  const std::vector<Parameter> read_parameters = parameters_of(read);
  ASSERT_EQ(parameters.size(), read_parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_EQ(parameters[i].name, read_parameters[i].name);
    EXPECT_EQ(parameters[i].shape, read_parameters[i].shape) << parameters[i].name;
  }
  EXPECT_EQ(network_text(built), network_text(read)) << "an attribute differs";
}

TEST_P(ZooText, GivesTheSameNetwork) {
  const Graph built = build_model(entry().name);
  expect_same_network(built, read_network(network_text(built), entry().name));
}

// The text of a classifier can be built for other images and numbers of classes, as the zoo can.
TEST_P(ZooText, ServesOtherData) {
  if (entry().classes == 0) GTEST_SKIP() << "a module without a classifier";
  const Shape input = {1, entry().input[1] + 16, entry().input[2] + 3};
  const Graph built = build_model(entry().name, {.input = input, .classes = 7});
  const std::string text = network_text(build_model(entry().name));
  expect_same_network(built, read_network(text, entry().name, {.input = input, .classes = 7}));
}

INSTANTIATE_TEST_SUITE_P(All, ZooText, testing::Range(0, static_cast<int>(zoo().size())), [](const auto& test) {
  std::string name = zoo()[static_cast<std::size_t>(test.param)].name;
  std::erase(name, '.');
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace convoy
