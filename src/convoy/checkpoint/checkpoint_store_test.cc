#include "convoy/checkpoint/checkpoint_store.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/checkpoint/checkpoint_folder.h"
#include "convoy/checkpoint/small_checkpoint_test.h"

namespace convoy {
namespace {

using Steps = std::vector<std::int64_t>;

TEST(Retention, KeepsTheNewest) {
  EXPECT_EQ(superseded_steps({10, 20, 30, 40}, 40, 2), (Steps{10, 20}));
  EXPECT_EQ(superseded_steps({40, 10, 30, 20}, 40, 1), (Steps{10, 20, 30}));
  EXPECT_EQ(superseded_steps({10, 20}, 20, 2), Steps{});
  EXPECT_EQ(superseded_steps({10}, 10, 9), Steps{});
}

TEST(Retention, AFutureThatWasGivenUpGoes) {
  EXPECT_EQ(superseded_steps({10, 25, 30, 40}, 25, 1), (Steps{10, 30, 40}));
  EXPECT_EQ(superseded_steps({10, 25, 30, 40}, 25, 2), (Steps{30, 40}));
  EXPECT_EQ(superseded_steps({0, 5}, 0, 3), (Steps{5}));
}

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class CheckpointStoreTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    path_ = folder_ / "run" / "checkpoints";
    fs::create_directory(folder_ / "run");
  }
  [[nodiscard]] CheckpointStore store() {
    return CheckpointStore(path_, [this](const std::string& note) { notes_.push_back(note); });
  }
  void spoil(const std::string& file) const { put(path_ / file, "spoilt"); }

  fs::path path_;
  std::vector<std::string> notes_;
};

TEST_F(CheckpointStoreTest, NothingIsADataError) {
  EXPECT_TRUE(store().empty());
  EXPECT_FALSE(store().has_best());
  EXPECT_TRUE(throws_with<DataError>([&] { (void)store().latest(); }, "no checkpoint in " + path_.string()));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)store().load_best(); }, "no best checkpoint in " + path_.string()));
  EXPECT_FALSE(fs::exists(path_)) << "looking made a folder";
  put(folder_ / "file", "");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)CheckpointStore(folder_ / "file").latest(); }, "Not a directory"));
}

TEST_F(CheckpointStoreTest, NewestIsLoaded) {
  store().save(small_checkpoint(999), {});
  store().save(small_checkpoint(1234), {});
  EXPECT_EQ(names(path_), (Names{"step-000000999", "step-000001234"}));
  EXPECT_TRUE(same(store().latest(), small_checkpoint(1234)));
  EXPECT_TRUE(notes_.empty());
}

TEST_F(CheckpointStoreTest, StepsBeyondNineDigits) {
  store().save(small_checkpoint(999'999'999), {});
  store().save(small_checkpoint(10'000'000'000), {});
  EXPECT_EQ(store().latest().step, 10'000'000'000) << "by number, not by name";
}

TEST_F(CheckpointStoreTest, KeepsTheLast) {
  for (int step = 10; step <= 50; step += 10) store().save(small_checkpoint(step), {.keep = 3});
  EXPECT_EQ(names(path_), (Names{"step-000000030", "step-000000040", "step-000000050"}));
  store().save(small_checkpoint(60), {.keep = 1});
  EXPECT_EQ(names(path_), (Names{"step-000000060"}));
}

TEST_F(CheckpointStoreTest, BestIsApart) {
  store().save(small_checkpoint(10), {.keep = 1, .best = true});
  store().save(small_checkpoint(20), {.keep = 1});
  EXPECT_TRUE(same(store().load_best(), small_checkpoint(10)));
  EXPECT_EQ(names(path_), (Names{"best", "step-000000020"}));
  store().save(small_checkpoint(30), {.keep = 1, .best = true});
  EXPECT_TRUE(same(store().load_best(), small_checkpoint(30)));
  EXPECT_EQ(names(path_), (Names{"best", "step-000000030"}));
}

TEST_F(CheckpointStoreTest, SameStepIsReplaced) {
  store().save(small_checkpoint(10, 1), {});
  store().save(small_checkpoint(10, 2), {});
  EXPECT_TRUE(same(store().latest(), small_checkpoint(10, 2)));
  EXPECT_EQ(names(path_), Names{"step-000000010"});
}

TEST_F(CheckpointStoreTest, WhatIsGoneIsAnErrorAndDoesNotComeBack) {
  CheckpointStore store = this->store();
  store.save(small_checkpoint(10), {.best = true});
  store.require_there();
  fs::remove_all(path_ / "step-000000010");
  EXPECT_TRUE(throws_with<SystemError>([&] { store.require_there(); }, "step-000000010/state.json: No such file"));
  store.save(small_checkpoint(20), {});
  store.require_there();
  fs::remove(path_ / "best" / "weights.safetensors");
  EXPECT_TRUE(throws_with<SystemError>([&] { store.require_there(); }, "best/weights.safetensors"));
  fs::remove_all(path_);
  EXPECT_TRUE(throws_with<SystemError>([&] { store.save(small_checkpoint(30), {}); },
                                       path_.string() + " was deleted or moved"));
  fs::remove_all(folder_ / "run");
  EXPECT_TRUE(throws_with<SystemError>([&] { this->store().save(small_checkpoint(30), {}); },
                                       (folder_ / "run").string() + " was deleted or moved"));
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

TEST_F(CheckpointStoreTest, DamagedOneIsPassedOverWithANote) {
  store().save(small_checkpoint(10), {.keep = 3});
  store().save(small_checkpoint(20), {.keep = 3});
  store().save(small_checkpoint(30), {.keep = 3});
  spoil("step-000000030/weights.safetensors");
  fs::remove(path_ / "step-000000020" / "state.json");
  EXPECT_TRUE(same(store().latest(), small_checkpoint(10)));
  ASSERT_EQ(notes_.size(), 2U);
  EXPECT_NE(notes_[0].find("step-000000030/weights.safetensors: it has 6 bytes"), std::string::npos) << notes_[0];
  EXPECT_NE(notes_[0].find("step-000000010 is used instead"), std::string::npos) << notes_[0];
  EXPECT_NE(notes_[1].find("step-000000020/state.json: No such file"), std::string::npos) << notes_[1];
}

TEST_F(CheckpointStoreTest, StateIsReadWithoutTensors) {
  EXPECT_FALSE(store().latest_state());
  store().save(small_checkpoint(10), {});
  store().save(small_checkpoint(20), {});
  spoil("step-000000020/weights.safetensors");
  ASSERT_TRUE(store().latest_state());
  EXPECT_EQ(store().latest_state()->step, 20);
  EXPECT_EQ(store().latest_state()->run, small_checkpoint(20).run);
  EXPECT_TRUE(store().latest_state()->weights.empty());
  spoil("step-000000020/state.json");
  EXPECT_EQ(store().latest_state()->step, 10);
  spoil("step-000000010/state.json");
  EXPECT_FALSE(store().latest_state());
}

TEST_F(CheckpointStoreTest, AllDamagedIsADataError) {
  store().save(small_checkpoint(10), {.best = true});
  store().save(small_checkpoint(20), {});
  for (const char* name : {"best", "step-000000010", "step-000000020"}) spoil(std::string(name) + "/state.json");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)store().latest(); }, "none of 2 checkpoints can be read"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)store().latest(); }, "step-000000020/state.json"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)store().load_best(); }, "best/state.json"));
}

TEST_F(CheckpointStoreTest, FutureThatWasGivenUpGoes) {
  for (const int step : {10, 20, 30}) store().save(small_checkpoint(step), {.keep = 3});
  spoil("step-000000030/state.json");
  ASSERT_EQ(store().latest().step, 20);
  store().save(small_checkpoint(25), {.keep = 3});
  EXPECT_EQ(names(path_), (Names{"step-000000010", "step-000000020", "step-000000025"}));
  EXPECT_EQ(store().latest().step, 25);
  store().discard_after(10);
  EXPECT_EQ(names(path_), Names{"step-000000010"});
  store().discard_after(10);
}

TEST_F(CheckpointStoreTest, LeftoversAreIgnoredAndRemoved) {
  store().save(small_checkpoint(10), {.best = true});
  fs::copy(path_ / "step-000000010", path_ / "step-000000020.tmp");
  fs::copy(path_ / "step-000000010", path_ / "best.tmp");
  fs::remove(path_ / "best.tmp" / "state.json");
  EXPECT_EQ(store().latest().step, 10);
  EXPECT_EQ(store().load_best().step, 10);
  store().save(small_checkpoint(20), {});
  EXPECT_EQ(names(path_), (Names{"best", "step-000000010", "step-000000020"}));
}

TEST_F(CheckpointStoreTest, StrangeNamesAreLeftAlone) {
  store().save(small_checkpoint(10), {.keep = 1});
  const Names strange = {"step-",           "step-x",   "step-5", "step--0000005",
                         "step-000000005x", "mine.tmp", "notes",  "step-x.old"};
  for (const std::string& name : strange) fs::create_directory(path_ / name);
  store().save(small_checkpoint(20), {.keep = 1});
  Names expected = strange;
  expected.insert("step-000000020");
  EXPECT_EQ(names(path_), expected);
  EXPECT_EQ(store().latest().step, 20);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(CheckpointStoreTest, FullDiskLosesNothing) {
  store().save(small_checkpoint(10), {.keep = 1, .best = true});
  const Names before = names(path_);
  for (const int bytes : {1, 100, 300, 600}) {
    const int code = in_child([&] {
      limit_file_size(static_cast<rlim_t>(bytes));
      Checkpoint large = small_checkpoint(20);
      large.weights.push_back({"large", {1000}, std::vector<float>(1000)});
      return throws_with<WriteError>([&] { store().save(large, {.keep = 1, .best = true}); }, "File too large") ? 0 : 1;
    });
    EXPECT_EQ(code, 0) << bytes;
    EXPECT_EQ(names(path_), before) << bytes;
  }
  EXPECT_TRUE(same(store().latest(), small_checkpoint(10)));
  EXPECT_TRUE(same(store().load_best(), small_checkpoint(10)));
}

TEST_F(CheckpointStoreTest, FolderThatMayNotBeWritten) {
  store().save(small_checkpoint(10), {});
  constexpr auto kRead = fs::perms::others_read | fs::perms::others_exec;
  fs::permissions(folder_, kRead, fs::perm_options::add);
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    fs::permissions(entry, kRead, fs::perm_options::add);
  }
  const int code = in_child([&] {
    if (geteuid() != 0) fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_exec);
    if (!become_nobody()) return 2;
    if (store().latest().step != 10) return 3;
    return throws_with<WriteError>([&] { store().save(small_checkpoint(20), {}); }, "Permission denied") ? 0 : 1;
  });
  fs::permissions(path_, fs::perms::owner_all, fs::perm_options::add);
  EXPECT_EQ(code, 0);
}

TEST_F(CheckpointStoreTest, KeepingNoneIsADefect) {
  EXPECT_THROW(store().save(small_checkpoint(10), {.keep = 0}), InternalError);
}

}  // namespace

}  // namespace convoy
