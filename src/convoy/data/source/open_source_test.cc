#include "convoy/data/source/open_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/data/pack/pack_file.h"
#include "convoy/data/pack/pack_writer.h"
#include "convoy/data/source/image_file_source.h"
#include "convoy/data/source/image_folder.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(OpenSource, UnknownNamesAreSuggested) {
  EXPECT_THAT([] { (void)open_source("cifra10", {}); },
              ThrowsMessage<UserError>(AllOf(HasSubstr("cifra10"), HasSubstr("did you mean cifar10?"))));
  EXPECT_THAT([] { (void)open_source("folder", {}); }, ThrowsMessage<UserError>(HasSubstr("folder:PATH")));
}

TEST(OpenSource, MissingDataSetSaysHowToGetIt) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      data_error_of([&] { (void)open_source("cifar10", {.data_dir = folder.path(), .system_dir = folder.path()}); }),
      HasSubstr("convoy data get cifar10"));
}

TEST(OpenSource, DataFolderComesBeforeTheSystem) {
  const TemporaryFolder folder;
  write_mnist(folder / "system/mnist", 3, 3);
  const SourceOptions options{.data_dir = folder / "own", .system_dir = folder / "system"};
  EXPECT_EQ(open_source("mnist", options)->size(Split::train), 3);
  write_mnist(folder / "own/mnist", 4, 3);
  EXPECT_EQ(open_source("mnist", options)->size(Split::train), 4);
}

TEST(OpenSource, FolderImagesHaveTheAskedSize) {
  const TemporaryFolder folder;
  write_image_folder(folder / "größe 1", {"a", "b"}, 5);
  const auto source = open_source("folder:" + (folder / "größe 1").string(), {.image_size = 12});
  EXPECT_EQ(source->shape(), (Shape{3, 12, 12}));
  EXPECT_NEAR(read_sample(*source, Split::train, 0)[2 * 144 + 5], 200, 3);
}

TEST(OpenSource, UnreadableImagesAreNamedOrSkipped) {
  const TemporaryFolder folder;
  write_image_folder(folder / "x", {"a", "b"}, 5);
  write_bytes(folder / "x/a/image 2.jpg", {});
  fs::create_symlink("nowhere", folder / "x/b/dangling.png");
  const std::string spec = "folder:" + (folder / "x").string();
  const auto strict = open_source(spec, {.image_size = 8, .val_fraction = 0});
  EXPECT_THAT(data_error_of([&] { (void)read_sample(*strict, Split::train, 2); }),
              HasSubstr("a/image 2.jpg: is empty"));
  std::vector<std::string> notes;
  SourceOptions options{.image_size = 8, .val_fraction = 0, .skip_corrupt = true, .threads = 2};
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  EXPECT_EQ(open_source(spec, options)->size(Split::train), 9);
  EXPECT_THAT(notes, Contains(HasSubstr("unreadable images left out: 2")));
}

TEST(OpenSource, ClassWithoutAnyReadableImageIsRefused) {
  const TemporaryFolder folder;
  write_image_folder(folder / "x", {"a"}, 3);
  write_bytes(folder / "x/b/bad.jpg", {1});
  EXPECT_THAT(data_error_of([&] {
                (void)open_source("folder:" + (folder / "x").string(), {.image_size = 8, .skip_corrupt = true});
              }),
              HasSubstr("class 'b' has no readable"));
}

TEST(OpenSource, StatisticsAreRememberedUntilTheDataChanges) {
  const TemporaryFolder folder;
  write_image_folder(folder / "x", {"a", "b"}, 5);
  const std::string spec = "folder:" + (folder / "x").string();
  const SourceOptions options{.cache_dir = folder / "cache", .image_size = 8};
  const ChannelStatistics first = open_source(spec, options)->statistics();
  EXPECT_NEAR(first.mean[2], 200 / 255.0, 0.02);
  ASSERT_EQ(std::distance(fs::directory_iterator(folder / "cache/statistics"), {}), 1);
  // Different statistics in the cache show that it is used.
  const fs::path remembered = fs::directory_iterator(folder / "cache/statistics")->path();
  const std::string text = "0.5 0.25\n0.5 0.25\n0.5 0.25\n";
  write_bytes(remembered, Bytes(text.begin(), text.end()));
  EXPECT_EQ(open_source(spec, options)->statistics().deviation[1], 0.25F);
  write_bytes(folder / "x/a/new.jpg", jpeg_bytes(20, 16, {0, 0, 0}));
  EXPECT_NE(open_source(spec, options)->statistics().deviation[1], 0.25F);
}

TEST(OpenSource, PackIsUsedUntilTheDataChanges) {
  const TemporaryFolder folder;
  write_image_folder(folder / "x", {"a", "b"}, 5);
  const SourceSpec spec = parse_source_spec("folder:" + (folder / "x").string());
  const SourceOptions options{.cache_dir = folder / "cache", .image_size = 8};
  const ImageFiles files = list_image_files(spec, options);
  const auto decoded = open_source(spec.text, options);
  EXPECT_EQ(dynamic_cast<const PackSource*>(decoded.get()), nullptr);
  write_pack(cached_pack_path(files, spec, options), *decoded, {.fingerprint = fingerprint(files)});
  const auto packed = open_source(spec.text, options);
  EXPECT_NE(dynamic_cast<const PackSource*>(packed.get()), nullptr);
  EXPECT_EQ(read_sample(*packed, Split::train, 3), read_sample(*decoded, Split::train, 3));
  write_bytes(folder / "x/a/new.jpg", jpeg_bytes(20, 16, {0, 0, 0}));
  const auto changed = open_source(spec.text, options);
  EXPECT_EQ(dynamic_cast<const PackSource*>(changed.get()), nullptr);
}

TEST(OpenSource, PackIsMadeByItselfWhenItPaysAndAgainWhenCorrupt) {
  const TemporaryFolder folder;
  write_image_folder(folder / "x", {"a", "b"}, 500);
  const SourceSpec spec = parse_source_spec("folder:" + (folder / "x").string());
  const SourceOptions options{.cache_dir = folder / "cache", .image_size = 8, .pack = PackUse::automatic, .threads = 2};
  const auto source = open_source(spec.text, options);
  EXPECT_NE(dynamic_cast<const PackSource*>(source.get()), nullptr);
  const fs::path path = cached_pack_path(list_image_files(spec, options), spec, options);
  fs::resize_file(path, fs::file_size(path) - 1);
  const auto again = open_source(spec.text, options);
  EXPECT_NE(dynamic_cast<const PackSource*>(again.get()), nullptr);
  EXPECT_EQ(again->size(Split::train), 800);
}

TEST(OpenSource, CacheThatCannotBeWrittenIsDoneWithout) {
  const TemporaryFolder folder;
  write_image_folder(folder / "x", {"a", "b"}, 500);
  write_bytes(folder / "cache/packs", {1});  // a file where a folder is needed
  std::vector<std::string> notes;
  SourceOptions options{.cache_dir = folder / "cache", .image_size = 8, .pack = PackUse::automatic};
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  const auto source = open_source("folder:" + (folder / "x").string(), options);
  EXPECT_EQ(dynamic_cast<const PackSource*>(source.get()), nullptr);
  EXPECT_EQ(source->size(Split::train), 800);
  EXPECT_THAT(notes, Contains(HasSubstr("images are decoded each time instead")));
}

TEST(OpenSource, PackPaysForManyImagesAndSpace) {
  EXPECT_TRUE(pack_pays(1000, 1000, 4'000'000));
  EXPECT_FALSE(pack_pays(1000, 1000, 3'999'999));
  EXPECT_FALSE(pack_pays(999, 1, 1 << 30));
}

TEST(OpenSource, RealFoldersReadToTheEnd) {
  if (real_data_folder().empty()) GTEST_SKIP() << "CONVOY_REAL_DATA names no folder";
  for (const char* const name : {"fruits-part", "caltech256-part"}) {
    const auto source = open_source("folder:" + (real_data_folder() / name).string(), {.image_size = 64, .threads = 2});
    EXPECT_EQ(source->statistics().mean.size(), 3U);
    EXPECT_GT(source->size(Split::test), 0);
  }
}

}  // namespace
}  // namespace convoy::data
