#include "convoy/base/writable_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace convoy {
namespace {

namespace fs = std::filesystem;

TEST(WritableFolder, IsJudgedByTheNearestFolderThatExists) {
  std::string name = (fs::temp_directory_path() / "convoy_folder_XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const fs::path folder = name;
  EXPECT_TRUE(is_writable_folder(folder));
  EXPECT_TRUE(is_writable_folder(folder / "a" / "b"));
  EXPECT_TRUE(fs::is_empty(folder)) << "asking left something behind";
  std::ofstream(folder / "file") << "x";
  EXPECT_FALSE(is_writable_folder(folder / "file" / "b")) << "a file is in the way";
  fs::remove_all(folder);
}

// Not even root can make files there.
TEST(WritableFolder, ReadOnlyFolderIsNot) { EXPECT_FALSE(is_writable_folder("/proc/convoy")); }

}  // namespace
}  // namespace convoy
