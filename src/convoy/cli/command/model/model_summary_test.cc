#include "convoy/cli/command/model/model_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "convoy/base/error.h"
#include "convoy/models/zoo.h"
#include "convoy/report/render/renderers.h"

namespace convoy::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

json summary_json(const char* model, std::int64_t batch = 32) {
  return ModelSummary(model, build_model(model), batch).json();
}

std::string terminal_text(const char* model) {
  return report::to_plain_text(ModelSummary(model, build_model(model), 32).section("", SummaryForm::terminal));
}

std::vector<ModelSummary> inception_modules() {
  return {{"inception-naive", build_model("inception-naive"), 1},
          {"inception-reduced", build_model("inception-reduced"), 1}};
}

TEST(ModelSummary, JsonHasLayersWithoutTheInput) {
  const json summary = summary_json("vgg19");
  const json& first = summary.at("layers").at(0);
  EXPECT_EQ(first.at("name"), "features.0");
  EXPECT_EQ(first.at("kind"), "conv");
  EXPECT_EQ(first.at("output_shape"), json({64, 224, 224}));
  EXPECT_EQ(first.at("activations"), 224 * 224 * 64);
  EXPECT_EQ(first.at("kernel"), "3x3");
  EXPECT_EQ(first.at("groups"), "1");
  EXPECT_EQ(first.at("calculation"), "(3*3*3)*64");
  EXPECT_FALSE(summary.at("layers").at(1).contains("kernel")) << "an activation function has none";
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

TEST(ModelSummary, TextShowsRowsAndTotals) {
  const std::string text = terminal_text("resnet18");
  EXPECT_THAT(text, HasSubstr("resnet18, input 3x224x224, 1,000 classes"));
  EXPECT_THAT(text, ContainsRegex("\ninput +input +3x224x224 +150,528 "));
  EXPECT_THAT(text, ContainsRegex("\nconv1 +conv 7x7 /2 p3 +64x112x112 +802,816 .*\\(7\\*7\\*3\\)\\*64 +9,408 "));
  EXPECT_THAT(text, ContainsRegex("\nparameters +11,689,512 +\\(11,683,712 without biases"));
  EXPECT_THAT(text, HasSubstr("training memory at batch 32"));
}

// The table that courses ask for, checked against numbers that are known independently of Convoy.
TEST(ModelSummary, FileHasTheCalculationOfEachLayer) {
  const std::string csv = ModelSummary("vgg19", build_model("vgg19"), 1).csv();
  EXPECT_THAT(csv, HasSubstr("features.0,conv +relu,3x3,1,1,1,64x224x224,3211264,"));
  EXPECT_THAT(csv, HasSubstr(",(3*3*3)*64,1728,64,"));
  EXPECT_THAT(csv, HasSubstr(",(3*3*64)*64,36864,64,"));
  EXPECT_THAT(csv, HasSubstr(",(7*7*512)*4096,102760448,4096,"));
  EXPECT_THAT(csv, HasSubstr(",4096*4096,16777216,4096,"));
  EXPECT_THAT(csv, ContainsRegex("\ntotal,.*,143652544,14696,19632062464,"));
}

TEST(ModelSummary, ADenseLayerBehindOnePixelCountsChannels) {
  const std::string csv = ModelSummary("resnet20", build_model("resnet20"), 1).csv();
  EXPECT_THAT(csv, HasSubstr(",64*10,640,10,"));
}

TEST(ModelSummary, RowsAddUpToTheTotals) {
  for (const char* const name : {"resnet20", "googlenet", "mobilenetv2", "alexnet2012"}) {
    const json summary = summary_json(name, 1);
    std::int64_t counted = Shape::parse(summary.at("input").get<std::string>()).count();
    for (const json& layer : summary.at("layers")) counted += layer.at("counted_activations").get<std::int64_t>();
    EXPECT_EQ(counted, summary.at("totals").at("counted_activations")) << name;
  }
}

TEST(ModelSummary, TextFitsAWideTerminal) {
  for (const ZooEntry& entry : zoo()) {
    std::istringstream lines(terminal_text(entry.name.c_str()));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 150U) << line;
    }
  }
}

TEST(ModelComparison, SaysWhatTheReductionsOfInceptionSave) {
  const std::string text = report::to_plain_text(side_by_side(inception_modules()));
  EXPECT_THAT(text, HasSubstr("naive takes 3.15 times\nthe multiply-adds of inception-reduced: inception-reduced "
                              "saves 68.2 %."));
  EXPECT_THAT(text, ContainsRegex("\nmultiply-adds +1,115,684,864 +354,418,688 +3.15 +68.2 %"));
  EXPECT_THAT(text, ContainsRegex("\noutput +672x32x32 +480x32x32"));
}

TEST(ModelComparison, JsonHasRatiosOfTheFirst) {
  const json row = comparison_json(inception_modules()).at(0);
  EXPECT_EQ(row.at("quantity"), "multiply_adds");
  EXPECT_EQ(row.at("values"), json({1'115'684'864, 354'418'688}));
  EXPECT_NEAR(row.at("ratios").at(1).get<double>(), 3.1479, 1e-4);
  EXPECT_NEAR(row.at("savings").at(1).get<double>(), 0.6823, 1e-4);
  EXPECT_EQ(row.at("ratios").at(0), 1);
}

TEST(ModelSummary, RefusesAnEmptyBatch) { EXPECT_THROW(ModelSummary("lenet", build_model("lenet"), 0), UserError); }

}  // namespace
}  // namespace convoy::cli
