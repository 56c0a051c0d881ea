#include "convoy/data/source/image_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::set<std::string> paths(const std::vector<ImageFile>& files) {
  std::set<std::string> found;
  for (const ImageFile& file : files) {
    found.insert(file.path);
  }
  return found;
}

std::string error_of(const fs::path& root) {
  return data_error_of([&] { (void)scan_image_folder(root, 0.2, 0); });
}

TEST(ImageFolder, ClassesAreSortedSubFolders) {
  const TemporaryFolder folder;
  write_image_folder(folder.path(), {"zebra", "Äpfel rot", "ape"}, 10);
  const ImageFiles files = scan_image_folder(folder.path(), 0.2, 1);
  EXPECT_THAT(files.classes, ElementsAre("ape", "zebra", "Äpfel rot"));
  EXPECT_EQ(files.train.size(), 24U);
  EXPECT_EQ(files.test.size(), 6U);
  EXPECT_TRUE(files.notes.empty());
}

TEST(ImageFolder, SplitIsStratifiedSeededAndComplete) {
  const TemporaryFolder folder;
  write_image_folder(folder.path(), {"a", "b"}, 10);
  const ImageFiles one = scan_image_folder(folder.path(), 0.3, 1);
  const ImageFiles again = scan_image_folder(folder.path(), 0.3, 1);
  const ImageFiles other = scan_image_folder(folder.path(), 0.3, 2);
  EXPECT_EQ(paths(one.test), paths(again.test));
  EXPECT_NE(paths(one.test), paths(other.test));
  int of_a = 0;
  for (const ImageFile& file : one.test) {
    of_a += file.label == 0 ? 1 : 0;
    EXPECT_FALSE(paths(one.train).contains(file.path));
  }
  EXPECT_EQ(of_a, 3);
  EXPECT_EQ(one.train.size() + one.test.size(), 20U);
}

TEST(ImageFolder, TrainAndTestFoldersAreRecognised) {
  for (const std::string name : {"val", "test"}) {
    const TemporaryFolder folder;
    write_image_folder(folder / "train", {"a", "b", "c"}, 2);
    write_image_folder(folder / name, {"c"}, 3);
    const ImageFiles files = scan_image_folder(folder.path(), 0.2, 0);
    EXPECT_EQ(files.train.size(), 6U);
    ASSERT_EQ(files.test.size(), 3U);
    EXPECT_EQ(files.test[0].label, 2);
    EXPECT_EQ(files.test[0].path, name + "/c/image 0.jpg");
  }
}

TEST(ImageFolder, ImagesAreFoundByContentAndInDepth) {
  const TemporaryFolder folder;
  write_bytes(folder / "a/deep/down/no ending", jpeg_bytes(4, 4, {1, 2, 3}));
  write_bytes(folder / "a/x.JPEG", jpeg_bytes(4, 4, {1, 2, 3}));
  write_bytes(folder / "a/readme.txt", {'h', 'i'});
  write_bytes(folder / "a/.hidden.png", {});
  write_bytes(folder / "b/y.png", png_bytes(4, 4, {.channels = 1, .values = {1}}));
  const ImageFiles files = scan_image_folder(folder.path(), 0, 0);
  EXPECT_EQ(files.train.size(), 3U);
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("1 files are neither JPEG nor PNG")));
}

TEST(ImageFolder, LinksAreFollowedButNotInCircles) {
  const TemporaryFolder folder;
  write_image_folder(folder.path(), {"a", "b"}, 2);
  fs::create_directory_symlink(folder / "a", folder / "c");
  EXPECT_EQ(scan_image_folder(folder.path(), 0, 0).classes.size(), 3U);
  fs::create_directory_symlink(folder / "a", folder / "a/again");
  EXPECT_THAT(error_of(folder.path()), AllOf(HasSubstr("a/again"), HasSubstr("circle")));
}

TEST(ImageFolder, EmptyThingsAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of(folder / "nowhere"), HasSubstr("no such folder"));
  EXPECT_THAT(error_of(folder.path()), HasSubstr("no sub-folders"));
  write_bytes(folder / "stray.jpg", jpeg_bytes(4, 4, {1, 2, 3}));
  EXPECT_THAT(error_of(folder.path()), HasSubstr("no sub-folders"));
  write_image_folder(folder.path(), {"full"}, 2);
  fs::create_directory(folder / "empty class");
  EXPECT_THAT(error_of(folder.path()), AllOf(HasSubstr("empty class"), HasSubstr("no images")));
}

TEST(ImageFolder, UnknownTestClassIsRefused) {
  const TemporaryFolder folder;
  write_image_folder(folder / "train", {"a", "b"}, 1);
  write_image_folder(folder / "val", {"c"}, 1);
  EXPECT_THAT(error_of(folder.path()), AllOf(HasSubstr("val/c"), HasSubstr("not among those in train/")));
}

TEST(ImageFolder, ImpossibleFractionIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW((void)scan_image_folder(folder.path(), 1.0, 0), UserError);
  EXPECT_THROW((void)scan_image_folder(folder.path(), -0.1, 0), UserError);
}

TEST(ImageFiles, FingerprintFollowsTheFiles) {
  const TemporaryFolder folder;
  write_image_folder(folder.path(), {"a", "b"}, 3);
  const auto print = [&] { return fingerprint(scan_image_folder(folder.path(), 0.4, 0)); };
  const std::uint64_t before = print();
  EXPECT_EQ(print(), before);
  fs::last_write_time(folder / "a/image 0.jpg", fs::file_time_type::clock::now() + std::chrono::seconds(10));
  const std::uint64_t touched = print();
  EXPECT_NE(touched, before);
  fs::rename(folder / "a/image 1.jpg", folder / "a/image 9.jpg");
  EXPECT_NE(print(), touched);
}

}  // namespace
}  // namespace convoy::data
