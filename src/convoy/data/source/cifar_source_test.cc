#include "convoy/data/source/cifar_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/data/source/channel_statistics.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CifarFile, TakesTheFineLabel) {
  Samples samples;
  Bytes bytes = cifar_bytes({99, 4}, 2);
  bytes[0] = 19;  // the coarse label
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

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CifarSource, SomeBatchesWillDoWithANote) {
  const TemporaryFolder folder;
  write_bytes(folder / "cifar-10-batches-bin/data_batch_2.bin", cifar_bytes({1, 2}));
  write_bytes(folder / "cifar-10-batches-bin/data_batch_4.bin.gz", gzip(cifar_bytes({3})));
  write_bytes(folder / "cifar-10-batches-bin/test_batch.bin", cifar_bytes({9}));
  std::vector<std::string> notes;
  SourceOptions options;
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  const auto source = open_cifar("cifar10", folder.path(), options);
  EXPECT_EQ(source->size(Split::train), 3);
  EXPECT_EQ(source->label(Split::train, 2), 3);
  EXPECT_EQ(read_sample(*source, Split::train, 1)[2048], 3);
  EXPECT_THAT(notes, ElementsAre("cifar10: 2 of 5 training batches are there, 3 images"));
}

TEST(CifarSource, Cifar100) {
  const TemporaryFolder folder;
  write_bytes(folder / "train.bin", cifar_bytes({99, 1}, 2));
  write_bytes(folder / "test.bin", cifar_bytes({50}, 2));
  const auto source = open_cifar("cifar100", folder.path(), {});
  EXPECT_EQ(source->classes().size(), 100U);
  EXPECT_EQ(source->classes()[99], "worm");
  EXPECT_EQ(source->label(Split::test, 0), 50);
}

TEST(CifarSource, MissingTestBatchIsNamed) {
  const TemporaryFolder folder;
  write_bytes(folder / "data_batch_1.bin", cifar_bytes({1}));
  EXPECT_THAT(data_error_of([&] { (void)open_cifar("cifar10", folder.path(), {}); }), HasSubstr("test_batch.bin"));
}

TEST(CifarSource, RealDataIsNearThePublishedStatistics) {
  if (real_data_folder().empty()) GTEST_SKIP() << "CONVOY_REAL_DATA names no folder";
  const auto source = open_source("cifar10:" + (real_data_folder() / "cifar10").string(), {});
  EXPECT_EQ(source->size(Split::train), 50000);
  const ChannelStatistics measured = measure_statistics(*source, 2);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(measured.mean[c], source->statistics().mean[c], 0.0005);
    EXPECT_NEAR(measured.deviation[c], source->statistics().deviation[c], 0.0005);
  }
}

}  // namespace

}  // namespace convoy::data
