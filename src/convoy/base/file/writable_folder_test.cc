#include "convoy/base/file/writable_folder.h"

#include "convoy/base/error.h"
#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

using WritableFolder = TemporaryFolder;

TEST_F(WritableFolder, IsJudgedByTheNearestFolderThatExists) {
  EXPECT_TRUE(is_writable_folder(folder_));
  EXPECT_TRUE(is_writable_folder(folder_ / "a" / "b"));
  EXPECT_TRUE(fs::is_empty(folder_)) << "asking left something behind";
  put(folder_ / "file", "x");
  EXPECT_FALSE(is_writable_folder(folder_ / "file" / "b")) << "a file is in the way";
}

TEST_F(WritableFolder, ReadOnlyFolderIsNot) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  const int code = in_child([&] {
    if (!become_nobody()) return 2;
    return is_writable_folder(folder_ / "runs") ? 1 : 0;
  });
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(code, 0);
}

TEST_F(WritableFolder, RoomIsRequired) {
  require_writable_folder(folder_ / "runs" / "one", {.bytes = 1000});
  require_writable_folder(folder_, {});
  constexpr std::int64_t kExbibyte = std::int64_t{1} << 60U;
  const auto ask = [&] { require_writable_folder(folder_ / "runs", {.bytes = kExbibyte, .what = "a whale"}); };
  EXPECT_TRUE(throws_with<UserError>(ask, "no room for another 1 EiB (a whale): "));
  EXPECT_TRUE(fs::is_empty(folder_)) << "asking left something behind";
}

// The limit holds for each file, not for their sum.
TEST_F(WritableFolder, FilesAreWithinTheirLimit) {
  const int code = in_child([&] {
    limit_file_size(1000);
    require_writable_folder(folder_, {.bytes = 5000, .largest_file_bytes = 1000});
    const auto ask = [&] { require_writable_folder(folder_, {.bytes = 5000, .largest_file_bytes = 1001}); };
    return throws_with<UserError>(ask, "raise `ulimit -f`") ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(WritableFolder, RefusalSaysWhichFolderAndWhy) {
  const int code = in_child([&] {
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
    if (!become_nobody()) return 2;
    const auto ask = [&] { require_writable_folder(folder_ / "runs", {.bytes = 1}); };
    return throws_with<UserError>(ask, folder_.string() + ": Permission denied") ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace convoy
