#include "convoy/base/file/input_file.h"

#include <sys/stat.h>

#include <array>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

using InputFileTest = TemporaryFolder;

TEST_F(InputFileTest, ReadsOnFromWhereItWas) {
  put(folder_ / "data", std::string("ab\0cd", 5));
  InputFile file(folder_ / "data");
  EXPECT_EQ(file.size_bytes(), 5U);
  std::array<std::byte, 3> three = {};
  file.read(three);
  EXPECT_EQ(three[0], std::byte{'a'});
  EXPECT_EQ(three[2], std::byte{0});
  file.read(std::span(three).first(2));
  EXPECT_EQ(three[1], std::byte{'d'});
  EXPECT_TRUE(throws_with<DataError>([&] { file.read(std::span(three).first(1)); }, "data ends too early"));
}

TEST_F(InputFileTest, WholeFiles) {
  put(folder_ / "data", std::string(3'000'000, 'x'));
  put(folder_ / "empty", "");
  EXPECT_EQ(read_file(folder_ / "data"), std::string(3'000'000, 'x'));
  EXPECT_EQ(read_file(folder_ / "empty"), "");
}

TEST_F(InputFileTest, WhatIsNoFileIsADataError) {
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_file(folder_ / "none"); }, "none: No such file"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_file(folder_); }, "not a regular file"));
  // A pipe that nobody writes to would block for ever.
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_file(folder_ / "pipe"); }, "not a regular file"));
}

TEST_F(InputFileTest, BytesIntoMemoryThatIsThere) {
  put(folder_ / "data", std::string("a\0\xff", 3));
  std::vector<std::uint8_t> bytes(1000);
  const std::uint8_t* const memory = bytes.data();
  read_bytes(folder_ / "data", bytes);
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{'a', 0, 255}));
  EXPECT_EQ(bytes.data(), memory);
  EXPECT_EQ(read_bytes(folder_ / "data"), bytes);
}

}  // namespace
}  // namespace convoy
