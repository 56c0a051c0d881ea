#include "convoy/base/file/file_lock.h"

#include <optional>
#include <set>
#include <string>

#include "convoy/base/temporary_folder_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

using FileLockTest = TemporaryFolder;

TEST_F(FileLockTest, WhatIsHeldIsNotAbandoned) {
  put(folder_ / "x.1.tmp", "1");
  fs::create_directories(folder_ / "x.2.tmp/deep");
  put(folder_ / "x.2.tmp/deep/file", "1");
  std::optional<FileLock> file(std::in_place, folder_ / "x.1.tmp");
  std::optional<FileLock> tree(std::in_place, folder_ / "x.2.tmp");
  EXPECT_TRUE(file->is_held());
  remove_abandoned(folder_, "x.", ".tmp");
  EXPECT_TRUE(fs::exists(folder_ / "x.1.tmp"));
  EXPECT_TRUE(fs::exists(folder_ / "x.2.tmp"));
  file.reset();
  tree.reset();
  remove_abandoned(folder_, "x.", ".tmp");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(FileLockTest, OtherNamesAreLeftAlone) {
  put(folder_ / "x.pack", "1");
  put(folder_ / "y.1.tmp", "1");
  put(folder_ / "x.mine.tmp", "1");
  put(folder_ / "x.tmp", "1");
  remove_abandoned(folder_, "x.", ".tmp");
  EXPECT_EQ(names(folder_), (std::set<std::string>{"x.pack", "y.1.tmp", "x.mine.tmp", "x.tmp"}));
  remove_abandoned(folder_ / "nothing", "");
}

TEST_F(FileLockTest, NothingIsNotHeld) { EXPECT_FALSE(FileLock(folder_ / "nowhere/at/all").is_held()); }

TEST_F(FileLockTest, SecondOneFindsItTaken) {
  put(folder_ / "x", "1");
  FileLock first(folder_ / "x");
  EXPECT_FALSE(first.is_taken());
  EXPECT_FALSE(FileLock(folder_ / "x").is_held());
  EXPECT_TRUE(FileLock(folder_ / "x").is_taken());
  first = FileLock();
  EXPECT_TRUE(FileLock(folder_ / "x").is_held());
}

TEST_F(FileLockTest, KnowsItsFileAgain) {
  put(folder_ / "x", "1");
  const FileLock lock(folder_ / "x");
  EXPECT_TRUE(lock.is_at(folder_ / "x"));
  fs::rename(folder_ / "x", folder_ / "y");
  EXPECT_TRUE(lock.is_at(folder_ / "y"));
  EXPECT_FALSE(lock.is_at(folder_ / "x"));
  put(folder_ / "x", "2");
  EXPECT_FALSE(lock.is_at(folder_ / "x"));
}

}  // namespace
}  // namespace convoy
