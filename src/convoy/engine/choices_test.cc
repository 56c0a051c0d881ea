#include "convoy/engine/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/engine/plan.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(Choices, ComeBackFromJsonAsTheyWere) {
  const Choices choices = {{"conv1", {.forward = "direct image jit:avx512", .backward_weights = "patches, dense"}},
                           {"a \"quoted\" name\n", {.forward = "\\", .backward_data = "ü", .backward_weights = " "}},
                           {"layer1.0.conv2", {}}};
  EXPECT_EQ(choices_from_json(choices_to_json(choices)), choices);
  EXPECT_EQ(choices_from_json(choices_to_json({})), Choices{});
}

TEST(Choices, OfATunedPlanComeBackFromJson) {
  const Plan plan = compile(residual_network(), {.batch = 4, .threads = 2});
  ASSERT_FALSE(plan.choices.empty());
  EXPECT_EQ(choices_from_json(choices_to_json(plan.choices)), plan.choices);
}

TEST(Choices, MalformedJsonIsRefusedWithThePlace) {
  const auto refused = [](const char* text, const auto& what) {
    EXPECT_THAT([&] { (void)choices_from_json(text, "run/kernels.json"); },
                ThrowsMessage<DataError>(AllOf(StartsWith("run/kernels.json: "), what)))
        << text;
  };
  refused("", HasSubstr("no JSON"));
  refused(R"({"format": 1, "layers": {)", HasSubstr("no JSON"));
  refused("[]", HasSubstr("\"format\" is missing"));
  refused(R"({"layers": {}})", HasSubstr("\"format\" is missing"));
  refused(R"({"format": 2, "layers": {}})", AllOf(HasSubstr("\"format\""), HasSubstr("not 2")));
  refused(R"({"format": "1", "layers": {}})", HasSubstr("\"format\""));
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  refused(("{\"format\": " + deep + "}").c_str(), HasSubstr("\"format\" must be 1"));
  refused(R"({"format": 1})", HasSubstr("\"layers\" is missing"));
  refused(R"({"format": 1, "layers": []})", HasSubstr("\"layers\" must be an object"));
  refused(R"({"format": 1, "layers": {"conv1": "direct"}})", HasSubstr("layer \"conv1\" must be an object"));
  refused(R"({"format": 1, "layers": {"conv1": {"forward": 3}}})",
          AllOf(HasSubstr("layer \"conv1\""), HasSubstr("\"forward\" must be a text")));
  refused(R"({"format": 1, "layers": {"conv1": {"foward": "direct"}}})",
          AllOf(HasSubstr("layer \"conv1\""), HasSubstr("unknown key \"foward\"")));
}

class GivenChoices : public testing::Test {
 protected:
  GivenChoices() : choices_(compile(graph_, {.batch = 2, .threads = 2}).choices) {}

  void expect_refused(const std::string& what, const std::string& where) const {
    EXPECT_THAT([&] { (void)compile(graph_, {.batch = 2, .threads = 2, .choices = &choices_}); },
                ThrowsMessage<UserError>(AllOf(HasSubstr(what), HasSubstr(where))));
  }

  Graph graph_ = dropout_network();
  Choices choices_;
};

TEST_F(GivenChoices, AnImplementationThisMachineDoesNotHaveIsRefused) {
  for (std::string KernelChoice::*pass : {&KernelChoice::forward, &KernelChoice::backward_weights}) {
    Choices before = choices_;
    choices_["conv1"].*pass = "direct blocked jit:avx9000";
    expect_refused("\"direct blocked jit:avx9000\"", "layer \"conv1\"");
    choices_ = before;
  }
  choices_["dense2"].backward_data = "dense tpu";
  expect_refused("\"dense tpu\" for backward data", "layer \"dense2\"");
}

TEST_F(GivenChoices, ALayerWithoutAChoiceIsRefused) {
  choices_.erase("dense1");
  expect_refused("no implementation", "layer \"dense1\"");
}

TEST_F(GivenChoices, APassWithoutAChoiceIsRefused) {
  choices_["dense1"].backward_weights.clear();
  expect_refused("for backward weights", "layer \"dense1\"");
}

TEST_F(GivenChoices, ALayerOfAnotherNetworkIsRefused) {
  choices_["conv9"] = choices_["conv1"];
  expect_refused("another network", "layer \"conv9\"");
}

TEST_F(GivenChoices, MayLeaveOutWhatPredictionDoesNotNeed) {
  const Choices forward_only = compile(graph_, {.batch = 2, .threads = 2, .training = false}).choices;
  for (const auto& [layer, choice] : forward_only) {
    EXPECT_EQ(choice.backward_data + choice.backward_weights, "") << layer;
  }
  const CompileOptions options{.batch = 2, .threads = 2, .training = false, .choices = &forward_only};
  EXPECT_EQ(compile(graph_, options).choices, forward_only);
}

}  // namespace
}  // namespace convoy
