#include "convoy/base/file/output_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <span>
#include <utility>

#include "convoy/base/file/write_error.h"
#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Start = OutputFile::Start;

class OutputFileTest : public TemporaryFolder {
 protected:
  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const SystemError& error) {
      return error.what();
    }
    return "no SystemError";
  }
};

TEST_F(OutputFileTest, WritesAfreshOrAtTheEnd) {
  const auto path = folder_ / "lines";
  OutputFile(path, Start::fresh).write("one\n");
  EXPECT_EQ(read(path), "one\n");
  OutputFile(path, Start::at_end).write("two\n");
  EXPECT_EQ(read(path), "one\ntwo\n");
  OutputFile(path, Start::fresh).write("3");
  EXPECT_EQ(read(path), "3");
}

TEST_F(OutputFileTest, WritesAnywhere) {
  const auto path = folder_ / "image";
  OutputFile file(path, Start::fresh_no_link);
  file.write_at(4, std::as_bytes(std::span("end", 3)));
  EXPECT_EQ(file.size_bytes(), 7U);
  file.write_at(0, std::as_bytes(std::span("head", 4)));
  EXPECT_EQ(file.size_bytes(), 7U);
  file.close();
  EXPECT_EQ(read(path), "headend");
}

TEST_F(OutputFileTest, RefusesLinksWhereToldTo) {
  put(folder_ / "kept", "7");
  std::filesystem::create_symlink(folder_ / "kept", folder_ / "link");
  EXPECT_TRUE(throws_with<WriteError>([&] { OutputFile(folder_ / "link", Start::fresh_no_link); }, "link"));
  EXPECT_EQ(read(folder_ / "kept"), "7");
  OutputFile(folder_ / "link", Start::fresh).write("8");
  EXPECT_EQ(read(folder_ / "kept"), "8");
}

TEST_F(OutputFileTest, BytesAreThereBeforeItIsClosed) {
  const auto path = folder_ / "lines";
  OutputFile first(path, Start::fresh);
  first.write("a");
  EXPECT_EQ(read(path), "a");
  OutputFile second = std::move(first);
  second.write(std::string("\0b", 2));
  second.sync();
  EXPECT_EQ(read(path), std::string("a\0b", 3));
}

TEST_F(OutputFileTest, FailuresNameThePathAndTheReason) {
  EXPECT_THAT(message_of([&] { OutputFile(folder_ / "none" / "x", Start::fresh); }),
              AllOf(HasSubstr((folder_ / "none" / "x").string()), HasSubstr("No such file")));
  EXPECT_THAT(message_of([] { OutputFile("/dev/full", Start::at_end).write("x"); }),
              AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

TEST_F(OutputFileTest, WhatIsGoneIsAnErrorAtTheNextWrite) {
  const auto path = folder_ / "run" / "lines";
  std::filesystem::create_directory(folder_ / "run");
  OutputFile file(path, Start::at_end);
  file.write("one\n");
  std::filesystem::rename(folder_ / "run", folder_ / "moved");
  EXPECT_THAT(message_of([&] { file.write("two\n"); }),
              HasSubstr((folder_ / "run").string() + " was deleted or moved"));
  std::filesystem::rename(folder_ / "moved", folder_ / "run");
  file.write("three\n");
  std::filesystem::remove(path);
  EXPECT_THAT(message_of([&] { file.require_there(); }), HasSubstr(path.string() + " was deleted or moved"));
  put(path, "another\n");
  EXPECT_THAT(message_of([&] { file.write("four\n"); }), HasSubstr(path.string() + " was replaced"));
  EXPECT_EQ(read(path), "another\n");
}

// The kernel accepts the part of a line that fits and refuses the rest.
TEST_F(OutputFileTest, LineThatDoesNotFitLeavesNoHalf) {
  const auto path = folder_ / "lines";
  const int code = in_child([&] {
    limit_file_size(10);
    OutputFile file(path, Start::at_end);
    file.write("12345678");
    const bool refused = throws_with<WriteError>([&] { file.write("12345"); }, path.string() + ": File too large");
    file.write("9\n");
    return refused ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(read(path), "123456789\n");
}

}  // namespace
}  // namespace convoy
