#include "convoy/base/file/file_lock.h"

#include <optional>

#include "convoy/base/temporary_folder_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

using ClaimTest = TemporaryFolder;

TEST_F(ClaimTest, WhatIsClaimedIsNotAbandoned) {
  put(folder_ / "x.1.tmp", "1");
  fs::create_directories(folder_ / "x.2.tmp/deep");
  put(folder_ / "x.2.tmp/deep/file", "1");
  std::optional<Claim> file(std::in_place, folder_ / "x.1.tmp");
  std::optional<Claim> tree(std::in_place, folder_ / "x.2.tmp");
  EXPECT_TRUE(file->is_held());
  remove_abandoned(folder_, "x.", ".tmp");
  EXPECT_TRUE(fs::exists(folder_ / "x.1.tmp"));
  EXPECT_TRUE(fs::exists(folder_ / "x.2.tmp"));
  file.reset();
  tree.reset();
  remove_abandoned(folder_, "x.", ".tmp");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ClaimTest, OtherNamesAreLeftAlone) {
  put(folder_ / "x.pack", "1");
  put(folder_ / "y.1.tmp", "1");
  remove_abandoned(folder_, "x.", ".tmp");
  EXPECT_TRUE(fs::exists(folder_ / "x.pack"));
  EXPECT_TRUE(fs::exists(folder_ / "y.1.tmp"));
  remove_abandoned(folder_ / "nothing", "");
}

TEST_F(ClaimTest, NothingIsNotHeld) { EXPECT_FALSE(Claim(folder_ / "nowhere/at/all").is_held()); }

}  // namespace
}  // namespace convoy
