#include "convoy/base/file/folder_replacement.h"

#include "convoy/base/file/write_error.h"
#include "convoy/base/temporary_folder_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

class FolderReplacement : public TemporaryFolder {
 protected:
  void make(const std::string& name, const std::string& text) const {
    fs::create_directory(folder_ / name);
    put(folder_ / name / "file", text);
  }
};

TEST_F(FolderReplacement, OldOneStaysUntilTheCallerDeletesIt) {
  make("made", "new");
  replace_folder(folder_ / "made", folder_ / "x", folder_ / "old");
  EXPECT_EQ(read(folder_ / "x" / "file"), "new");
  EXPECT_FALSE(fs::exists(folder_ / "old"));
  make("made", "newer");
  replace_folder(folder_ / "made", folder_ / "x", folder_ / "old");
  EXPECT_EQ(read(folder_ / "x" / "file"), "newer");
  EXPECT_EQ(read(folder_ / "old" / "file"), "new");
}

TEST_F(FolderReplacement, OldOneComesBackWhenTheNewOneCannot) {
  make("x", "old");
  EXPECT_THROW(replace_folder(folder_ / "nothing", folder_ / "x", folder_ / "old"), WriteError);
  EXPECT_EQ(read(folder_ / "x" / "file"), "old");
  EXPECT_FALSE(fs::exists(folder_ / "old"));
}

TEST_F(FolderReplacement, NewFolderReplacesAndTidies) {
  make("x", "old");
  {
    NewFolder given_up(folder_ / "x");
    make("x.tmp", "half");
  }
  EXPECT_EQ(names(folder_), (std::set<std::string>{"x"}));
  NewFolder made(folder_ / "x");
  make("x.tmp", "new");
  made.put_in_place();
  EXPECT_EQ(read(folder_ / "x" / "file"), "new");
  EXPECT_EQ(names(folder_), (std::set<std::string>{"x"}));
}

TEST_F(FolderReplacement, WhatACrashLeftIsPutRight) {
  make("x.old", "old");
  make("x.tmp", "half");
  EXPECT_EQ(find_folder(folder_ / "x"), folder_ / "x.old");
  tidy_folder(folder_ / "x");
  EXPECT_EQ(names(folder_), (std::set<std::string>{"x"}));
  EXPECT_EQ(read(folder_ / "x" / "file"), "old");
}

}  // namespace
}  // namespace convoy
