#include "convoy/checkpoint/checkpoint_folder.h"

#include <cmath>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/checkpoint/small_checkpoint_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

const char* const kFiles[] = {"state.json", "weights.safetensors", "optimizer.safetensors"};

class CheckpointFolder : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    path_ = folder_ / "step";
    write_checkpoint_folder(path_, small_checkpoint(20));
  }
  [[nodiscard]] testing::AssertionResult refused(const std::string& part) const {
    return throws_with<DataError>([&] { (void)read_checkpoint_folder(path_); }, part);
  }

  fs::path path_;
};

TEST_F(CheckpointFolder, WhatIsWrittenIsRead) {
  EXPECT_EQ(names(path_), (std::set<std::string>{"state.json", "weights.safetensors", "optimizer.safetensors"}));
  EXPECT_TRUE(same(read_checkpoint_folder(path_), small_checkpoint(20)));
  EXPECT_EQ(read_checkpoint_weights(path_).tensors, small_checkpoint(20).weights);
  EXPECT_TRUE(is_checkpoint_folder(path_));
  EXPECT_FALSE(is_checkpoint_folder(folder_));
}

TEST_F(CheckpointFolder, WeightsSayWhatTheyAre) {
  const TensorFile file = read_safetensors(path_ / "weights.safetensors");
  EXPECT_EQ(file.metadata, (std::map<std::string, std::string>{
                               {"format", "pt"}, {"model", "lenet"}, {"data", "mnist"}, {"step", "20"}}));
}

TEST_F(CheckpointFolder, MetricMayBeAbsentOrNan) {
  Checkpoint checkpoint = small_checkpoint(1);
  checkpoint.best_metric.reset();
  write_checkpoint_folder(folder_ / "a", checkpoint);
  EXPECT_FALSE(read_checkpoint_folder(folder_ / "a").best_metric.has_value());
  checkpoint.best_metric = std::numeric_limits<double>::quiet_NaN();
  write_checkpoint_folder(folder_ / "b", checkpoint);
  EXPECT_TRUE(std::isnan(read_checkpoint_folder(folder_ / "b").best_metric.value()));
}

// The trainer's part must come back unchanged, including the order of keys and the last bit of numbers.
TEST_F(CheckpointFolder, OpaquePartComesBackAsItWas) {
  Checkpoint checkpoint = small_checkpoint(1);
  checkpoint.training = {{"z", 0.1}, {"a", {1, 2}}, {"hash", "no"}, {"big", UINT64_MAX}};
  write_checkpoint_folder(folder_ / "a", checkpoint);
  EXPECT_EQ(read_checkpoint_folder(folder_ / "a").training.dump(), checkpoint.training.dump());
}

TEST_F(CheckpointFolder, EveryChangedByteIsFound) {
  for (const char* name : kFiles) {
    const fs::path file = path_ / name;
    const std::string whole = read(file);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int change : {0x01, 0x20, 0x80}) {
        change_byte(file, at, static_cast<char>(whole[at] ^ change));
        ASSERT_TRUE(refused(file.string())) << at << " " << change;
      }
      change_byte(file, at, whole[at]);
    }
  }
  EXPECT_TRUE(same(read_checkpoint_folder(path_), small_checkpoint(20)));
}

TEST_F(CheckpointFolder, EveryOtherLengthIsFound) {
  for (const char* name : kFiles) {
    const fs::path file = path_ / name;
    const std::string whole = read(file);
    for (std::size_t size = whole.size(); size > 0; --size) {
      fs::resize_file(file, size - 1);
      ASSERT_TRUE(refused(file.string())) << size - 1;
    }
    for (const char* more : {"x", " ", "\n"}) {
      put(file, whole + more);
      ASSERT_TRUE(refused(file.string())) << more;
    }
    put(file, whole);
  }
}

TEST_F(CheckpointFolder, EveryFileIsNeeded) {
  for (const char* name : kFiles) {
    fs::rename(path_ / name, folder_ / "away");
    EXPECT_TRUE(refused((path_ / name).string() + ": No such file"));
    fs::rename(folder_ / "away", path_ / name);
  }
}

// Two checkpoints' files, each intact, mixed in one folder.
TEST_F(CheckpointFolder, FilesOfAnotherCheckpointAreFound) {
  write_checkpoint_folder(folder_ / "other", small_checkpoint(30));
  for (const char* name : kFiles) {
    const std::string own = read(path_ / name);
    put(path_ / name, read(folder_ / "other" / name));
    EXPECT_TRUE(refused("its hash is not the one it had")) << name;
    put(path_ / name, own);
  }
}

TEST_F(CheckpointFolder, WeightsCanBeReadWithoutTheOptimizer) {
  fs::remove(path_ / "optimizer.safetensors");
  EXPECT_EQ(read_checkpoint_weights(path_).tensors, small_checkpoint(20).weights);
  put(path_ / "weights.safetensors", "x");
  EXPECT_THROW((void)read_checkpoint_weights(path_), DataError);
}

TEST_F(CheckpointFolder, NewerFormIsRefusedKindly) {
  std::string text = read(path_ / "state.json");
  text.replace(text.find("\"schema\": 1"), 11, "\"schema\": 2");
  const std::string zeros(32, '0');
  text.replace(12, 32, zeros);
  text.replace(12, 32, digest_of(text).hash);
  put(path_ / "state.json", text);
  EXPECT_TRUE(throws_with<UserError>([&] { (void)read_checkpoint_folder(path_); },
                                     "state.json: written in version 2 of its form, and this Convoy knows versions"));
}

TEST_F(CheckpointFolder, ItsFolderMustBeNew) {
  EXPECT_TRUE(throws_with<WriteError>([&] { write_checkpoint_folder(path_, small_checkpoint(1)); }, "File exists"));
}

}  // namespace
}  // namespace convoy
