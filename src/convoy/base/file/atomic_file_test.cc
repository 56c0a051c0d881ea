#include "convoy/base/file/atomic_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public TemporaryFolder {
 protected:
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
};

TEST_F(AtomicFileTest, WritesAndReplaces) {
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

// A reader that has the old file open keeps its bytes, because the file is replaced and not overwritten.
TEST_F(AtomicFileTest, NeverTouchesTheOldBytes) {
  const fs::path path = folder_ / "data";
  write_file_atomically(path, "old");
  std::ifstream reader(path);
  write_file_atomically(path, "new and longer");
  std::ostringstream seen;
  seen << reader.rdbuf();
  EXPECT_EQ(seen.str(), "old");
}

TEST_F(AtomicFileTest, IsReadableByOthersAsUmaskSays) {
  const mode_t before = umask(027);
  const fs::path path = folder_ / "data";
  write_file_atomically(path, "x");
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(AtomicFileTest, FailureNamesThePathAndLeavesNothing) {
  const fs::path missing = folder_ / "no_such_folder" / "data";
  try {
    write_file_atomically(missing, "x");
    FAIL() << "wrote into a folder that is not there";
  } catch (const WriteError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr(missing.string()), testing::HasSubstr("No such file")));
  }
  const fs::path occupied = folder_ / "folder";
  fs::create_directory(occupied);
  EXPECT_THROW(write_file_atomically(occupied, "x"), WriteError);
  EXPECT_EQ(entries(), 1) << "a temporary file was left behind";
}

TEST_F(AtomicFileTest, WritersAtOnceLeaveOneWholeFile) {
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

TEST_F(AtomicFileTest, GrowsPieceByPieceAndAppearsAtTheEnd) {
  const fs::path path = folder_ / "pack";
  const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
  {
    AtomicFile file(path);
    file.append(bytes("----body"));
    file.append(bytes(" and end"));
    file.overwrite(0, bytes("head"));
    EXPECT_EQ(file.size_bytes(), 16U);
    EXPECT_FALSE(fs::exists(path));
    file.commit();
  }
  EXPECT_EQ(read(path), "headbody and end");
  AtomicFile(path).append(bytes("given up"));
  EXPECT_EQ(read(path), "headbody and end");
  EXPECT_EQ(entries(), 1) << "a temporary file was left behind";
}

TEST_F(AtomicFileTest, WhatAKilledWriterLeftIsRemoved) {
  const fs::path path = folder_ / "data";
  EXPECT_EQ(in_child([&] {
              const AtomicFile file(path);
              return raise(SIGKILL);
            }),
            -SIGKILL);
  EXPECT_EQ(entries(), 1);
  // Files whose names only look similar stay, and so does the file of a living writer.
  put(folder_ / "data.mine.tmp", "1");
  put(folder_ / "data.7-0.tmp.txt", "1");
  const AtomicFile living(path);
  write_file_atomically(path, "x");
  EXPECT_EQ(entries(), 4);
  EXPECT_TRUE(fs::exists(folder_ / "data.mine.tmp"));
  EXPECT_TRUE(fs::exists(folder_ / "data.7-0.tmp.txt"));
}

// Each writer removes abandoned files and must not mistake a file that another has just begun for one.
TEST_F(AtomicFileTest, ManyWritersDoNotRemoveEachOthersFiles) {
  const fs::path path = folder_ / "data";
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&path, i] {
      for (int round = 0; round < 30; ++round)
        write_file_atomically(path, std::string(1000, static_cast<char>('a' + i)));
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(read(path).size(), 1000U);
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, DoesNotReplaceAPipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(write_file_atomically(pipe, "text"), UserError);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace convoy
