#include "convoy/data/source/cifar_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CifarFile, TakesTheFineLabel) {
  Samples samples;
  Bytes bytes = cifar_bytes({99, 4}, 2);
  bytes[0] = 19;  // coarse
  EXPECT_EQ(parse_cifar(bytes, "x", kCifar100, false, samples), 0);
  EXPECT_THAT(samples.labels, ElementsAre(99, 4));
  EXPECT_EQ(samples.pixels[0], 0);
  EXPECT_EQ(samples.pixels[3072 + 2048], 3);
}

TEST(CifarFile, AppendsBatches) {
  Samples samples;
  parse_cifar(cifar_bytes({1}), "x", kCifar10, false, samples);
  parse_cifar(cifar_bytes({2, 3}), "x", kCifar10, false, samples);
  EXPECT_THAT(samples.labels, ElementsAre(1, 2, 3));
  EXPECT_EQ(samples.pixels.size(), 3U * 3072);
}

TEST(CifarFile, FileCutShortIsRefusedOrSkipped) {
  Bytes bytes = cifar_bytes({1, 2});
  bytes.pop_back();
  Samples samples;
  EXPECT_THAT(data_error_of([&] { parse_cifar(bytes, "batch", kCifar10, false, samples); }),
              HasSubstr("batch: byte 3073: is cut short"));
  samples = {};
  EXPECT_EQ(parse_cifar(bytes, "batch", kCifar10, true, samples), 1);
  EXPECT_THAT(samples.labels, ElementsAre(1));
}

TEST(CifarFile, EmptyFileIsRefusedEvenWhenSkipping) {
  Samples samples;
  EXPECT_THAT(data_error_of([&] { parse_cifar({}, "batch", kCifar10, true, samples); }), HasSubstr("cut short"));
}

TEST(CifarFile, LabelOutOfRangeIsRefusedOrSkipped) {
  const Bytes bytes = cifar_bytes({1, 10, 3});
  Samples samples;
  EXPECT_THAT(data_error_of([&] { parse_cifar(bytes, "batch", kCifar10, false, samples); }),
              AllOf(HasSubstr("batch: byte 3073"), HasSubstr("label 10 of record 1")));
  samples = {};
  EXPECT_EQ(parse_cifar(bytes, "batch", kCifar10, true, samples), 1);
  EXPECT_THAT(samples.labels, ElementsAre(1, 3));
  EXPECT_EQ(samples.pixels[3072], 2);
}

}  // namespace
}  // namespace convoy::data
