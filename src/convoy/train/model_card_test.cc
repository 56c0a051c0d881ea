#include "convoy/train/model_card.h"

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

ModelCard card() {
  return {.model = "resnet20",
          .input = {3, 32, 24},
          .classes = {"cat", "dog \"rex\"", "vögel"},
          .loss = "mean-squared-error",
          .statistics = {.mean = {0.1F, 0.2F, 1.0F / 3}, .deviation = {0.25F, 0.3F, 0.1F}}};
}

TEST(ModelCard, ComesBackToTheBit) {
  const ModelCard back = model_card_from(to_metadata(card()), "w.safetensors");
  EXPECT_EQ(back.model, "resnet20");
  EXPECT_EQ(back.input, (Shape{3, 32, 24}));
  EXPECT_EQ(back.classes, card().classes);
  EXPECT_EQ(back.loss, "mean-squared-error");
  EXPECT_EQ(back.statistics.mean, card().statistics.mean);
  EXPECT_EQ(back.statistics.deviation, card().statistics.deviation);
}

TEST(ModelCard, KeepsTheTextOfANetworkThatIsNotOfTheZoo) {
  EXPECT_FALSE(to_metadata(card()).contains("network"));
  ModelCard own = card();
  own.network = "input = \"3x32x24\"\nlayers = []\n";
  EXPECT_EQ(model_card_from(to_metadata(own), "w.safetensors").network, own.network);
}

TEST(ModelCard, NamesWhatIsMissing) {
  for (const char* key : {"model", "input", "classes", "mean", "deviation"}) {
    Metadata metadata = to_metadata(card());
    EXPECT_EQ(metadata.erase(key), 1U) << key;
    EXPECT_TRUE(throws_with<DataError>([&] { (void)model_card_from(metadata, "w.safetensors"); },
                                       std::string("w.safetensors: its metadata lacks '") + key + "'"));
  }
}

TEST(ModelCard, WithoutALossWasTrainedWithCrossEntropy) {
  Metadata metadata = to_metadata(card());
  metadata.erase("loss");
  EXPECT_EQ(model_card_from(metadata, "w.safetensors").loss, "cross-entropy");
}

void expect_refused(const char* key, const char* text, const char* says) {
  Metadata metadata = to_metadata(card());
  metadata[key] = text;
  EXPECT_TRUE(throws_with<DataError>([&] { (void)model_card_from(metadata, "w.safetensors"); }, "w.safetensors: "));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)model_card_from(metadata, "w.safetensors"); }, says));
}

TEST(ModelCard, RefusesWhatMakesNoSense) {
  expect_refused("input", "3x32xx", "'input'");
  expect_refused("input", "3x32", "3x32");
  expect_refused("input", "1x32x24", "3 means");
  expect_refused("classes", "cat, dog", "'classes'");
  expect_refused("classes", "[1, 2]", "'classes'");
  expect_refused("classes", "[]", "no classes");
  expect_refused("mean", "{}", "'mean'");
  expect_refused("mean", "[0.5]", "1 means");
  expect_refused("deviation", "[1, 2, \"x\"]", "'deviation'");
  expect_refused("deviation", "[1, 0, 1]", "deviation");
}

}  // namespace
}  // namespace convoy
