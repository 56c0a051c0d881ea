#include "convoy/data/source/image_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "convoy/data/source/open_source.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

void write_text(const fs::path& path, const std::string& text) { write_bytes(path, Bytes(text.begin(), text.end())); }

void write_tiny_imagenet(const fs::path& root) {
  for (const std::string id : {"n02", "n01"}) {
    write_bytes(root / "train" / id / "images" / (id + "_0.JPEG"), jpeg_bytes(64, 64, {1, 2, 3}));
    write_text(root / "train" / id / (id + "_boxes.txt"), "x");
  }
  write_text(root / "wnids.txt", "n02\nn01\nn03\n");
  write_text(root / "words.txt", "n01\tgoldfish, Carassius auratus\nn02\tbullfrog\r\n");
  write_bytes(root / "val/images/val_0.JPEG", grey_jpeg_bytes(64, 64, 9));
  write_text(root / "val/val_annotations.txt", "val_0.JPEG\tn01\t0\t0\t62\t62\nval_1.JPEG\tn03\t0\t0\t1\t1\n");
}

TEST(TinyImagenet, ReadsTheOfficialLayout) {
  const TemporaryFolder folder;
  write_tiny_imagenet(folder / "tiny-imagenet-200");
  const ImageFiles files = scan_tiny_imagenet(folder.path());
  EXPECT_THAT(files.classes, ElementsAre("bullfrog", "goldfish"));
  EXPECT_EQ(files.train.size(), 2U);
  ASSERT_EQ(files.test.size(), 1U);
  EXPECT_EQ(files.test[0].label, 1);
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("1 validation images")));
  const auto source = open_source("tiny-imagenet:" + folder.path().string(), {});
  EXPECT_EQ(source->shape(), (Shape{3, 64, 64}));
  EXPECT_NEAR(read_sample(*source, Split::test, 0)[64 * 64], 9, 2);
}

TEST(TinyImagenet, OtherLayoutsAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(data_error_of([&] { (void)scan_tiny_imagenet(folder.path()); }), HasSubstr("wnids.txt"));
  write_tiny_imagenet(folder.path());
  write_text(folder / "val/val_annotations.txt", "val_0.JPEG\tn01\nnonsense\n");
  EXPECT_THAT(data_error_of([&] { (void)scan_tiny_imagenet(folder.path()); }),
              AllOf(HasSubstr("val_annotations.txt: line 2")));
}

TEST(TinyImagenet, RealDataReadsToTheEnd) {
  if (real_data_folder().empty()) GTEST_SKIP() << "CONVOY_REAL_DATA names no folder";
  const auto source = open_source("tiny-imagenet:" + (real_data_folder() / "tiny-imagenet-200-part").string(), {});
  EXPECT_EQ(source->classes().size(), 20U);
  EXPECT_EQ(source->size(Split::train), 1600);
  EXPECT_EQ(source->size(Split::test), 1000);
  const ChannelStatistics statistics = source->statistics();
  EXPECT_NEAR(statistics.mean[0], 0.48, 0.05);
}

}  // namespace
}  // namespace convoy::data
