#include "convoy/base/file/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "convoy/base/error.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "convoy_atomic_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(AtomicFile, WritesAndReplaces) {
  const fs::path path = folder_ / "run.json";
  const std::string binary("first\0line\n", 11);
  write_file_atomically(path, binary);
  EXPECT_EQ(read(path), binary);
  write_file_atomically(path, "second");
  EXPECT_EQ(read(path), "second");
  write_file_atomically(path, "");
  EXPECT_EQ(read(path), "");
  EXPECT_EQ(entries(), 1) << "a temporary file was left behind";
}

// An old file that is open keeps its bytes: it was replaced, not overwritten.
TEST_F(AtomicFile, NeverTouchesTheOldBytes) {
  const fs::path path = folder_ / "data";
  write_file_atomically(path, "old");
  std::ifstream reader(path);
  write_file_atomically(path, "new and longer");
  std::ostringstream seen;
  seen << reader.rdbuf();
  EXPECT_EQ(seen.str(), "old");
}

TEST_F(AtomicFile, IsReadableByOthersAsUmaskSays) {
  const mode_t before = umask(027);
  const fs::path path = folder_ / "data";
  write_file_atomically(path, "x");
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(AtomicFile, FailureNamesThePathAndLeavesNothing) {
  const fs::path missing = folder_ / "no_such_folder" / "data";
  try {
    write_file_atomically(missing, "x");
    FAIL() << "wrote into a folder that is not there";
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr(missing.string()), testing::HasSubstr("No such file")));
  }
  const fs::path occupied = folder_ / "folder";
  fs::create_directory(occupied);
  EXPECT_THROW(write_file_atomically(occupied, "x"), SystemError);
  EXPECT_EQ(entries(), 1) << "a temporary file was left behind";
}

TEST_F(AtomicFile, WritersAtOnceLeaveOneWholeFile) {
  const fs::path path = folder_ / "data";
  const std::string a(100000, 'a');
  const std::string b(200000, 'b');
  std::thread other([&] {
    for (int i = 0; i < 20; ++i) {
      write_file_atomically(path, a);
    }
  });
  for (int i = 0; i < 20; ++i) {
    write_file_atomically(path, b);
    const std::string seen = read(path);
    EXPECT_TRUE(seen == a || seen == b);
  }
  other.join();
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace convoy
