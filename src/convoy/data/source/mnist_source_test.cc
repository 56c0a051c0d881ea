#include "convoy/data/source/mnist_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/data/source/channel_statistics.h"
#include "convoy/data/source/open_source.h"
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

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(MnistSource, ReadsPlainAndZippedFiles) {
  for (const bool zipped : {false, true}) {
    const TemporaryFolder folder;
    write_mnist(folder.path(), 12, 5, zipped);
    const auto source = open_mnist("mnist", folder.path(), {});
    EXPECT_EQ(source->shape(), (Shape{1, 4, 4}));
    EXPECT_EQ(source->size(Split::train), 12);
    EXPECT_EQ(source->size(Split::test), 5);
    EXPECT_EQ(source->label(Split::train, 11), 1);
    EXPECT_THAT(read_sample(*source, Split::train, 11), Each(11));
    EXPECT_EQ(source->view(Split::test, 4)[15], 4);
    EXPECT_EQ(source->classes().size(), 10U);
  }
}

TEST(MnistSource, ResizesToTheAskedSize) {
  const TemporaryFolder folder;
  write_mnist(folder.path(), 3, 3);
  const auto source = open_mnist("fashion-mnist", folder.path(), {.image_size = 9});
  EXPECT_EQ(source->shape(), (Shape{1, 9, 9}));
  EXPECT_THAT(read_sample(*source, Split::train, 2), Each(2));
}

TEST(MnistSource, MissingFileIsNamed) {
  const TemporaryFolder folder;
  write_mnist(folder.path(), 3, 3);
  std::filesystem::remove(folder / "t10k-labels-idx1-ubyte");
  EXPECT_THAT(data_error_of([&] { (void)open_mnist("mnist", folder.path(), {}); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("t10k-labels-idx1-ubyte")));
}

TEST(MnistSource, DifferentCountsAreRefused) {
  const TemporaryFolder folder;
  write_mnist(folder.path(), 3, 3);
  write_bytes(folder / "train-labels-idx1-ubyte", idx_bytes({2}, {1, 2}));
  EXPECT_THAT(data_error_of([&] { (void)open_mnist("mnist", folder.path(), {}); }), HasSubstr("3 images but 2 labels"));
}

TEST(MnistSource, BadLabelIsRefusedOrSkipped) {
  const TemporaryFolder folder;
  write_mnist(folder.path(), 3, 3);
  write_bytes(folder / "train-labels-idx1-ubyte", idx_bytes({3}, {1, 10, 2}));
  EXPECT_THAT(data_error_of([&] { (void)open_mnist("mnist", folder.path(), {}); }),
              AllOf(HasSubstr("train-labels-idx1-ubyte: byte 9"), HasSubstr("label 10")));
  std::vector<std::string> notes;
  SourceOptions options{.skip_corrupt = true};
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  const auto source = open_mnist("mnist", folder.path(), options);
  EXPECT_EQ(source->size(Split::train), 2);
  EXPECT_THAT(read_sample(*source, Split::train, 1), Each(2));
  EXPECT_THAT(notes, ElementsAre("mnist: corrupt samples left out: 1"));
}

TEST(MnistSource, ImagesCutShortAreSkipped) {
  const TemporaryFolder folder;
  write_mnist(folder.path(), 3, 3);
  std::filesystem::resize_file(folder / "train-images-idx3-ubyte", 16 + 2 * 16 + 5);
  EXPECT_THAT(data_error_of([&] { (void)open_mnist("mnist", folder.path(), {}); }), HasSubstr("cut short"));
  EXPECT_EQ(open_mnist("mnist", folder.path(), {.skip_corrupt = true})->size(Split::train), 2);
}

TEST(MnistSource, RealDataHasThePublishedStatistics) {
  if (real_data_folder().empty()) GTEST_SKIP() << "CONVOY_REAL_DATA names no folder";
  const auto source = open_source("mnist:" + (real_data_folder() / "mnist").string(), {});
  EXPECT_EQ(source->size(Split::train), 60000);
  const ChannelStatistics measured = measure_statistics(*source, 2);
  EXPECT_NEAR(measured.mean[0], source->statistics().mean[0], 1e-4);
  EXPECT_NEAR(measured.deviation[0], source->statistics().deviation[0], 1e-4);
}

TEST(MnistSource, DebiansFashionMnistIsFound) {
  if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) GTEST_SKIP() << "package not installed";
  const auto source = open_source("fashion-mnist", {});
  EXPECT_EQ(source->size(Split::test), 10000);
  const ChannelStatistics measured = measure_statistics(*source, 2);
  EXPECT_NEAR(measured.mean[0], source->statistics().mean[0], 1e-4);
  EXPECT_NEAR(measured.deviation[0], source->statistics().deviation[0], 1e-4);
}

}  // namespace

}  // namespace convoy::data
