#include "convoy/data/byte_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/file/input_file.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ByteFile, ReadsPlainAndZippedAlike) {
  const TemporaryFolder folder;
  const Bytes content{1, 2, 3, 0, 255};
  write_bytes(folder / "plain", content);
  write_bytes(folder / "zipped without an ending", gzip(content));
  EXPECT_EQ(read_unzipped_file(folder / "plain"), content);
  EXPECT_EQ(read_unzipped_file(folder / "zipped without an ending"), content);
}

TEST(ByteFile, UnzipsMembersOneAfterTheOther) {
  Bytes zipped = gzip(Bytes(100000, 7));
  const Bytes second = gzip({8, 9});
  zipped.insert(zipped.end(), second.begin(), second.end());
  const Bytes bytes = gunzip(zipped, "x");
  ASSERT_EQ(bytes.size(), 100002U);
  EXPECT_EQ(bytes.back(), 9);
}

TEST(ByteFile, MissingFileIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(data_error_of([&] { (void)read_bytes(folder / "no/such/file"); }),
              AllOf(HasSubstr("no/such/file"), HasSubstr("No such file")));
}

TEST(ByteFile, FolderIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(data_error_of([&] { (void)read_bytes(folder.path()); }), HasSubstr("not a regular file"));
}

TEST(ByteFile, ZippedFileCutAnywhereIsRefused) {
  const Bytes zipped = gzip({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  for (std::size_t size = 2; size < zipped.size(); ++size) {
    const std::span cut = std::span(zipped).first(size);
    EXPECT_THAT(data_error_of([&] { (void)gunzip(cut, "a.gz"); }), AllOf(HasSubstr("a.gz"), HasSubstr("cut short")))
        << size;
  }
}

TEST(ByteFile, CorruptZippedFileIsRefused) {
  Bytes zipped = gzip(Bytes(1000, 3));
  zipped[zipped.size() - 6] ^= 0xff;  // in the checksum
  EXPECT_THAT(data_error_of([&] { (void)gunzip(zipped, "a.gz"); }), HasSubstr("a.gz: incorrect data check"));
}

TEST(ByteFile, UnzippingStopsAtTheLimit) {
  const Bytes zipped = gzip(Bytes(1 << 20));
  EXPECT_THAT(data_error_of([&] { (void)gunzip(zipped, "bomb.gz", 1000); }), HasSubstr("bomb.gz"));
}

}  // namespace
}  // namespace convoy::data
