#include "convoy/checkpoint/weights.h"

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/checkpoint/small_checkpoint_test.h"

namespace convoy {
namespace {

class WeightsTest : public TemporaryFolder {
 protected:
  [[nodiscard]] CheckpointStore store() const { return CheckpointStore(folder_ / kCheckpointsFolder); }
  std::vector<NamedTensor> read_from(const std::filesystem::path& path) {
    return read_weights(path, [this](const std::string& note) { notes_.push_back(note); }).tensors;
  }

  std::vector<std::string> notes_;
};

TEST_F(WeightsTest, OfAFile) {
  write_safetensors(folder_ / "any name", small_checkpoint(5).weights, {{"a", "b"}});
  EXPECT_EQ(read_from(folder_ / "any name"), small_checkpoint(5).weights);
  EXPECT_EQ(read_weights(folder_ / "any name").metadata.at("a"), "b");
}

TEST_F(WeightsTest, OfACheckpoint) {
  store().save(small_checkpoint(5), {});
  store().save(small_checkpoint(6), {});
  EXPECT_EQ(read_from(folder_ / "checkpoints" / "step-000000005"), small_checkpoint(5).weights);
}

TEST_F(WeightsTest, OfACheckpointsFileFitTheHashBesideIt) {
  store().save(small_checkpoint(5), {});
  const auto file = folder_ / "checkpoints" / "step-000000005" / "weights.safetensors";
  EXPECT_EQ(read_from(file), small_checkpoint(5).weights);
  write_safetensors(file, small_checkpoint(5, 2).weights);
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_weights(file); }, file.string() + ": it "));
  std::filesystem::remove(file.parent_path() / "state.json");
  EXPECT_EQ(read_from(file), small_checkpoint(5, 2).weights) << "a file of its own";
}

TEST_F(WeightsTest, OfARunAreTheBestOrTheNewest) {
  store().save(small_checkpoint(5), {});
  store().save(small_checkpoint(6), {});
  EXPECT_EQ(read_from(folder_), small_checkpoint(6).weights);
  store().save(small_checkpoint(7), {.best = true});
  store().save(small_checkpoint(8), {});
  EXPECT_EQ(read_from(folder_), small_checkpoint(7).weights);
  EXPECT_EQ(read_from(folder_ / "checkpoints"), small_checkpoint(7).weights);
  EXPECT_TRUE(notes_.empty());
  put(folder_ / "checkpoints" / "best" / "weights.safetensors", "x");
  EXPECT_EQ(read_from(folder_), small_checkpoint(8).weights);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("best/weights.safetensors"), std::string::npos);
}

TEST_F(WeightsTest, WhereThereAreNone) {
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_weights(folder_); }, "holds no weights: give a .safetensors"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_weights(folder_ / "none"); }, "none: No such file"));
}

}  // namespace
}  // namespace convoy
