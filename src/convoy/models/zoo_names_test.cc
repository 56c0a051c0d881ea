// Parameters have torchvision's names, shapes and order, so that weights can be exchanged without a table of names.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "convoy/graph/parameters.h"
#include "convoy/models/zoo.h"

namespace convoy {
namespace {

std::vector<std::string> golden_lines(const std::string& model) {
  const auto path = std::filesystem::path(CONVOY_GOLDEN_FOLDER) / (model + ".txt");
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
  }
  return lines;
}

class ZooNames : public testing::TestWithParam<const char*> {};

TEST_P(ZooNames, EqualTorchvision) {
  std::vector<std::string> lines;
  for (const Parameter& parameter : parameters_of(build_model(GetParam()))) {
    lines.push_back(parameter.name + " " + parameter.shape.to_string());
  }
  EXPECT_EQ(lines, golden_lines(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, ZooNames,
                         testing::Values("resnet18", "resnet50", "mobilenetv2", "squeezenet1.1", "vgg16"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '.');
                           return name;
                         });

}  // namespace
}  // namespace convoy
