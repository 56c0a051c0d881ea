#include "convoy/data/source/idx_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const Bytes& bytes, int rank) {
  return data_error_of([&] { (void)parse_idx(bytes, "some-file", {.rank = rank}); });
}

TEST(IdxFile, ReadsExtentsAndValues) {
  const IdxArray array = parse_idx(idx_bytes({2, 1, 3}, {1, 2, 3, 4, 5, 6}), "x", {.rank = 3});
  EXPECT_EQ(array.dims, (std::vector<std::int64_t>{2, 1, 3}));
  EXPECT_EQ(array.values, (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(array.missing, 0);
}

TEST(IdxFile, WrongMagicNumberIsShown) {
  EXPECT_THAT(error_of({0, 0, 9, 1, 0, 0, 0, 1, 5}, 1),
              AllOf(HasSubstr("some-file: byte 0"), HasSubstr("00000901"), HasSubstr("00000801")));
  EXPECT_THAT(error_of({0, 0}, 1), HasSubstr("2 bytes"));
}

TEST(IdxFile, LabelsAreNotTakenForImages) {
  EXPECT_THAT(error_of(idx_bytes({1}, {5}), 3), AllOf(HasSubstr("00000801"), HasSubstr("(images)")));
}

TEST(IdxFile, ShortHeaderIsRefused) {
  Bytes bytes = idx_bytes({2, 1, 3}, {});
  bytes.resize(10);
  EXPECT_THAT(error_of(bytes, 3), HasSubstr("byte 10: the header is cut short"));
}

TEST(IdxFile, ZeroExtentIsRefused) { EXPECT_THAT(error_of(idx_bytes({2, 0, 3}, {}), 3), HasSubstr("byte 8")); }

TEST(IdxFile, FileCutShortIsRefusedUnlessAllowed) {
  const Bytes bytes = idx_bytes({3, 2, 1}, {1, 2, 3, 4, 5});
  EXPECT_THAT(error_of(bytes, 3), AllOf(HasSubstr("byte 21: is cut short"), HasSubstr("2 of 3")));
  const IdxArray array = parse_idx(bytes, "x", {.rank = 3, .allow_missing = true});
  EXPECT_EQ(array.dims[0], 2);
  EXPECT_EQ(array.missing, 1);
  EXPECT_EQ(array.values, (Bytes{1, 2, 3, 4}));
}

TEST(IdxFile, TrailingBytesAreRefused) {
  EXPECT_THAT(error_of(idx_bytes({1, 1, 1}, {1, 2, 3}), 3), HasSubstr("byte 17: 2 bytes more"));
}

TEST(IdxFile, HugeExtentsAskForNoMemory) {
  EXPECT_THAT(error_of(idx_bytes({0xffffffff, 0xffffffff, 0xffffffff}, {1}), 3), HasSubstr("cut short"));
}

}  // namespace
}  // namespace convoy::data
