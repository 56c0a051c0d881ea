#include "convoy/cli/command/model/summary_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "convoy/base/error.h"
#include "convoy/models/zoo.h"

namespace convoy::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

json summary_json(const char* model, std::int64_t batch = 32) {
  return json::parse(ModelSummary(model, build_model(model), batch).json());
}

TEST(ModelSummary, JsonHasLayersWithoutTheInput) {
  const json summary = summary_json("vgg19");
  const json& first = summary.at("layers").at(0);
  EXPECT_EQ(first.at("name"), "features.0");
  EXPECT_EQ(first.at("kind"), "conv");
  EXPECT_EQ(first.at("output_shape"), json({64, 224, 224}));
  EXPECT_EQ(first.at("activations"), 224 * 224 * 64);
  EXPECT_EQ(first.at("weights"), 1728);
  EXPECT_EQ(first.at("biases"), 64);
  EXPECT_EQ(first.at("multiply_adds"), 224 * 224 * 1728);
  EXPECT_EQ(first.at("receptive_field"), json({3, 3}));
  EXPECT_EQ(summary.at("layers").at(2).at("weights"), 36864);
}

TEST(ModelSummary, JsonTotals) {
  const json summary = summary_json("vgg19", 8);
  const json& totals = summary.at("totals");
  EXPECT_EQ(totals.at("parameters"), 143'667'240);
  EXPECT_EQ(totals.at("weights"), 143'652'544);
  EXPECT_EQ(totals.at("tensors"), 38);
  EXPECT_EQ(totals.at("multiply_adds"), 19'632'062'464);
  EXPECT_EQ(totals.at("allreduce_bytes"), 4 * 143'667'240LL);
  std::int64_t parts = 0;
  for (const auto& part : totals.at("training_memory")) {
    parts += part.get<std::int64_t>();
  }
  EXPECT_EQ(totals.at("training_memory").size(), 5U);
  EXPECT_EQ(totals.at("training_memory_bytes"), parts);
  EXPECT_EQ(summary.at("batch"), 8);
  EXPECT_EQ(summary.at("input"), "3x224x224");
  EXPECT_EQ(summary.at("classes"), 1000);
}

TEST(ModelSummary, TextShowsRowsTotalsAndDefinitions) {
  const std::string text = ModelSummary("resnet18", build_model("resnet18"), 32).text();
  EXPECT_THAT(text, HasSubstr("resnet18, input 3x224x224, 1,000 classes"));
  EXPECT_THAT(text, ContainsRegex("\nconv1 +conv 7x7 /2 +64x112x112 +802,816 +9,408 +118,013,952 +7x7\n"));
  EXPECT_THAT(text, ContainsRegex("\nparameters +11,689,512 in 62 tensors\n"));
  EXPECT_THAT(text, HasSubstr("at batch 32"));
  EXPECT_THAT(text, ContainsRegex("\nmultiply-adds +of convolutions and dense layers"));
}

TEST(ModelSummary, TextOfAModuleHasNoClasses) {
  const std::string text = ModelSummary("inception-naive", build_model("inception-naive"), 1).text();
  EXPECT_THAT(text, HasSubstr("inception-naive, input 256x32x32\n"));
  EXPECT_THAT(text, HasSubstr("1,115,684,864"));
}

TEST(ModelSummary, TextFitsAWideTerminal) {
  for (const ZooEntry& entry : zoo()) {
    std::istringstream lines(ModelSummary(entry.name, build_model(entry.name), 32).text());
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 120U) << line;
    }
  }
}

TEST(ModelSummary, RefusesAnEmptyBatch) { EXPECT_THROW(ModelSummary("lenet", build_model("lenet"), 0), UserError); }

}  // namespace
}  // namespace convoy::cli
