#include "convoy/data/install/claim.h"

#include <gtest/gtest.h>

#include <optional>

#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;

TEST(Claim, WhatIsClaimedIsNotAbandoned) {
  const TemporaryFolder folder;
  write_bytes(folder / "x.1.tmp", {1});
  write_bytes(folder / "x.2.tmp/deep/file", {1});
  std::optional<Claim> file(std::in_place, folder / "x.1.tmp");
  std::optional<Claim> tree(std::in_place, folder / "x.2.tmp");
  EXPECT_TRUE(file->is_held());
  remove_abandoned(folder.path(), "x.", ".tmp");
  EXPECT_TRUE(fs::exists(folder / "x.1.tmp"));
  EXPECT_TRUE(fs::exists(folder / "x.2.tmp"));
  file.reset();
  tree.reset();
  remove_abandoned(folder.path(), "x.", ".tmp");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Claim, OtherNamesAreLeftAlone) {
  const TemporaryFolder folder;
  write_bytes(folder / "x.pack", {1});
  write_bytes(folder / "y.1.tmp", {1});
  remove_abandoned(folder.path(), "x.", ".tmp");
  EXPECT_TRUE(fs::exists(folder / "x.pack"));
  EXPECT_TRUE(fs::exists(folder / "y.1.tmp"));
  remove_abandoned(folder / "nothing", "");
}

TEST(Claim, NothingIsNotHeld) {
  const TemporaryFolder folder;
  EXPECT_FALSE(Claim(folder / "nowhere/at/all").is_held());
}

}  // namespace
}  // namespace convoy::data
