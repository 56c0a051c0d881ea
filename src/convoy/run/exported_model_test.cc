#include "convoy/run/exported_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/graph/initialisation.h"
#include "convoy/graph/network_text.h"
#include "convoy/models/zoo.h"
#include "convoy/run/imported_model.h"
#include "convoy/train/network_weights.h"

namespace convoy {
namespace {

class ExportedModels : public TemporaryFolder {
 protected:
  static TrainedModel small_model() {
    TrainedModel model;
    model.card = {.model = "resnet20",
                  .input = {3, 16, 16},
                  .classes = {"cat", "dog", "vögel"},
                  .statistics = {.mean = {0.4F, 0.5F, 0.6F}, .deviation = {0.1F, 0.2F, 0.3F}}};
    model.provenance = {{"step", "7"}};
    model.graph = build_model("resnet20", {.input = {3, 16, 16}, .classes = 3});
    model.weights = make_parameter_store(model.graph);
    model.weights->initialise(model.graph, initialiser_named("he-normal"), 1);
    return model;
  }

  [[nodiscard]] std::filesystem::path written(const ExportOptions& options) const {
    auto file = folder_ / "m.onnx";
    write_file_atomically(file, export_onnx(small_model(), options));
    return file;
  }

  std::vector<std::string> notes_;
  const OnNote on_note_ = [this](const std::string& note) { notes_.push_back(note); };
};

TEST_F(ExportedModels, ComeBackWithTheirCardAndWeights) {
  const TrainedModel before = small_model();
  const TrainedModel after = open_trained_model(written({}), on_note_);
  EXPECT_EQ(after.card.classes, before.card.classes);
  EXPECT_EQ(after.card.statistics.mean, before.card.statistics.mean);
  EXPECT_EQ(after.card.input, before.card.input);
  EXPECT_EQ(network_text(after.graph), network_text(before.graph));
  EXPECT_EQ(export_weights(*after.weights), export_weights(*before.weights));
  EXPECT_TRUE(notes_.empty());
}

TEST_F(ExportedModels, NormaliseInsideOrAsTheCardSays) {
  const TrainedModel inside = open_trained_model(written({.normalise = true}), on_note_);
  EXPECT_EQ(inside.card.statistics.mean, std::vector<float>(3, 0));
  EXPECT_EQ(inside.card.statistics.deviation, std::vector<float>(3, 1));
  EXPECT_EQ(inside.graph.layer(1).name, "normalise");
}

TEST_F(ExportedModels, LoseTheirBatchNormWhenItIsFolded) {
  const TrainedModel folded = open_trained_model(written({.fold_batch_norm = true}), on_note_);
  for (const Layer& layer : folded.graph.layers()) EXPECT_STRNE(kind_of(layer.op), "batch_norm") << layer.name;
}

TEST_F(ExportedModels, TakeOtherNamesAndNormalisationAtTheImport) {
  const ImportedModel model =
      import_model(written({}), {.classes = {"a", "b", "c"}, .mean = {0, 0, 0}, .deviation = {1, 1, 1}}, on_note_);
  const ModelCard card = model_card_from(model.weights.metadata, "m");
  EXPECT_THAT(card.classes, testing::ElementsAre("a", "b", "c"));
  EXPECT_EQ(card.model, "m");
  EXPECT_EQ(card.network, model.network.text);
  const auto refused = [&](const ImportOptions& options, const char* words) {
    return throws_with<UserError>([&] { (void)import_model(written({}), options, on_note_); }, words);
  };
  EXPECT_TRUE(refused({.classes = {"a", "b"}}, "2 names of classes for 3 scores"));
  EXPECT_TRUE(refused({.mean = {0.5F}}, "wants 3 means"));
  EXPECT_TRUE(refused({.deviation = {1, 0, 1}}, "above 0"));
}

}  // namespace
}  // namespace convoy
