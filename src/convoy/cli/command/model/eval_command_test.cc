#include "convoy/cli/command/model/eval_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace convoy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// Adds `count` samples of class `is` that are classified as `taken_for`.
void add(Tally& tally, int is, int taken_for, int count) {
  std::vector<float> scores(static_cast<std::size_t>(tally.classes()), 0.0F);
  scores[static_cast<std::size_t>(taken_for)] = 2;
  for (int i = 0; i < count; ++i) tally.add(scores, std::vector<std::int32_t>{is});
}

// Cats: 3 of 4 are right. Dogs: 1 of 4 is right, three are classified as cats. Cows never occur.
Tally animals() {
  Tally tally(3, LossKind::cross_entropy);
  add(tally, 0, 0, 3);
  add(tally, 0, 2, 1);
  add(tally, 1, 1, 1);
  add(tally, 1, 0, 3);
  return tally;
}

const std::vector<std::string>& names() {
  static const std::vector<std::string> names = {"cat", "dog", "cow"};
  return names;
}

TEST(EvaluationReport, TextHasTotals) {
  const Tally tally = animals();
  const std::string text = EvaluationReport(tally, names()).text();
  EXPECT_THAT(text, HasSubstr("8 images\n"));
  EXPECT_THAT(text, HasSubstr("top-1  50.00 % (error 50.00 %)\n"));
  EXPECT_THAT(text, Not(HasSubstr("top-5"))) << "of three classes that is always 100 %";
}

TEST(EvaluationReport, TextHasTheWorstClassFirstAndUnseenOnesLast) {
  const Tally tally = animals();
  const std::string text = EvaluationReport(tally, names()).text();
  const std::size_t dog = text.find("dog"), cat = text.find("cat"), cow = text.find("cow");
  EXPECT_LT(dog, cat);
  EXPECT_LT(cat, cow);
  EXPECT_THAT(text.substr(dog), HasSubstr("25.00"));
  EXPECT_THAT(text.substr(cow), testing::ContainsRegex("^cow +0 +-\n"));
}

TEST(EvaluationReport, TextHasTheCommonestMistakeFirst) {
  const Tally tally = animals();
  const std::string text = EvaluationReport(tally, names()).text();
  const std::string mistakes = text.substr(text.find("taken for"));
  EXPECT_THAT(mistakes, testing::ContainsRegex("dog +cat +3\ncat +cow +1\n$"));
}

TEST(EvaluationReport, NoMistakesAreSaidSo) {
  Tally tally(3, LossKind::cross_entropy);
  add(tally, 1, 1, 2);
  EXPECT_THAT(EvaluationReport(tally, names()).text(), HasSubstr("no mistakes\n"));
}

TEST(EvaluationReport, ManyClassesAreCutShort) {
  Tally tally(30, LossKind::cross_entropy);
  std::vector<std::string> many;
  for (int k = 0; k < 30; ++k) {
    add(tally, k, (k + 1) % 30, 1);
    many.push_back("class" + std::to_string(k));
  }
  const std::string text = EvaluationReport(tally, many).text();
  EXPECT_THAT(text, HasSubstr("and 10 more classes"));
  EXPECT_THAT(text, HasSubstr("top-5"));
  EXPECT_THAT(text, HasSubstr("and 20 more kinds of mistakes"));
}

TEST(EvaluationReport, JsonHasAll) {
  const Tally tally = animals();
  const auto json = nlohmann::json::parse(EvaluationReport(tally, names()).json());
  EXPECT_EQ(json["samples"], 8);
  EXPECT_EQ(json["top1"], 0.5);
  EXPECT_EQ(json["error"], 0.5);
  EXPECT_EQ(json["top5"], 1.0);
  EXPECT_DOUBLE_EQ(json["loss"].get<double>(), tally.metrics().loss);
  EXPECT_EQ(json["confusion"], nlohmann::json::parse("[[3,0,1],[3,1,0],[0,0,0]]"));
  EXPECT_EQ(json["classes"][1], nlohmann::json::parse(R"({"name": "dog", "samples": 4, "accuracy": 0.25})"));
  EXPECT_TRUE(json["classes"][2]["accuracy"].is_null());
}

}  // namespace
}  // namespace convoy::cli
