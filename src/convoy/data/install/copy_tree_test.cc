#include "convoy/data/install/copy_tree.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "convoy/base/file/input_file.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;

TEST(CopyTree, CopiesTreesWithLinkedFiles) {
  const TemporaryFolder folder;
  write_bytes(folder / "from/a/deep/x", {1, 2, 3});
  write_bytes(folder / "from/empty", {});
  fs::create_symlink(folder / "from/a/deep/x", folder / "from/linked");
  fs::create_directory_symlink("..", folder / "from/a/loop");
  copy_tree(folder / "from", folder / "to");
  EXPECT_EQ(read_bytes(folder / "to/a/deep/x"), (Bytes{1, 2, 3}));
  EXPECT_EQ(read_bytes(folder / "to/linked"), (Bytes{1, 2, 3}));
  EXPECT_FALSE(fs::is_symlink(folder / "to/linked"));
  EXPECT_EQ(fs::file_size(folder / "to/empty"), 0U);
  EXPECT_FALSE(fs::exists(folder / "to/a/loop"));
}

TEST(CopyTree, DoesNotWriteThroughLinks) {
  const TemporaryFolder folder;
  write_bytes(folder / "kept", {7});
  fs::create_symlink(folder / "kept", folder / "link");
  write_bytes(folder / "from", {8});
  EXPECT_THROW(copy_contents(folder / "from", folder / "link"), WriteError);
  EXPECT_EQ(read_bytes(folder / "kept"), Bytes{7});
}

// A limit on the size of files simulates a full disk.
TEST(CopyTree, SaysWhyItCannotWrite) {
  const TemporaryFolder folder;
  write_bytes(folder / "from", Bytes(10000));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 5000, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_TRUE(throws_with<WriteError>([&] { copy_contents(folder / "from", folder / "to"); }, "/to: File too large"));
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace convoy::data
