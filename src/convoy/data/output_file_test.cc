#include "convoy/data/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(OutputFile, CopiesTreesWithLinkedFiles) {
  const TemporaryFolder folder;
  write_bytes(folder / "from/a/deep/x", {1, 2, 3});
  write_bytes(folder / "from/empty", {});
  fs::create_symlink(folder / "from/a/deep/x", folder / "from/linked");
  fs::create_directory_symlink("..", folder / "from/a/loop");
  copy_tree(folder / "from", folder / "to");
  EXPECT_EQ(read_file(folder / "to/a/deep/x"), (Bytes{1, 2, 3}));
  EXPECT_EQ(read_file(folder / "to/linked"), (Bytes{1, 2, 3}));
  EXPECT_FALSE(fs::is_symlink(folder / "to/linked"));
  EXPECT_EQ(fs::file_size(folder / "to/empty"), 0U);
  EXPECT_FALSE(fs::exists(folder / "to/a/loop"));
}

TEST(OutputFile, DoesNotWriteThroughLinks) {
  const TemporaryFolder folder;
  write_bytes(folder / "kept", {7});
  fs::create_symlink(folder / "kept", folder / "link");
  EXPECT_THROW(OutputFile(folder / "link"), StorageError);
  EXPECT_EQ(read_file(folder / "kept"), Bytes{7});
}

// A limit on the size of files stands in for a full disk.
TEST(OutputFile, SaysWhyItCannotWrite) {
  const TemporaryFolder folder;
  write_bytes(folder / "from", Bytes(10000));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 5000, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = data_error_of([&] { copy_contents(folder / "from", folder / "to"); });
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("/to: cannot be written: File too large"));
}

}  // namespace
}  // namespace convoy::data
