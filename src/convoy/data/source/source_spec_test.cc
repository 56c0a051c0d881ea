#include "convoy/data/source/source_spec.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;

void expect_spec(const fs::path& path, const std::string& name) {
  EXPECT_EQ(spec_of_path(path), name + ":" + path.string());
}

TEST(PathSpec, PublishedLayoutsAreRecognised) {
  const TemporaryFolder folder;
  write_mnist(folder / "digits", 2, 2, true);
  write_mnist(folder / "my fashion", 2, 2);
  write_bytes(folder / "ten/cifar-10-batches-bin/test_batch.bin", cifar_bytes({1}));
  write_bytes(folder / "hundred/test.bin", cifar_bytes({1}, 2));
  write_bytes(folder / "tiny/wnids.txt", {'n', '1', '\n'});
  expect_spec(folder / "digits", "mnist");
  expect_spec(folder / "my fashion", "fashion-mnist");
  expect_spec(folder / "ten", "cifar10");
  expect_spec(folder / "hundred", "cifar100");
  expect_spec(folder / "tiny", "tiny-imagenet");
}

TEST(PathSpec, OtherFoldersAreOfImagesAndFilesArePacks) {
  const TemporaryFolder folder;
  write_image_folder(folder / "photos", {"a"}, 1);
  expect_spec(folder / "photos", "folder");
  expect_spec(folder / "photos/a/image 0.jpg", "pack");
  EXPECT_EQ(spec_of_path(folder / "nothing"), std::nullopt);
}

TEST(PathSpec, FindsByNameThenByPath) {
  const TemporaryFolder folder;
  write_image_folder(folder / "photos", {"a"}, 1);
  EXPECT_EQ(find_source("cifar10").text, "cifar10");
  EXPECT_EQ(find_source("folder:nowhere").text, "folder:nowhere");
  const std::string path = (folder / "photos").string();
  EXPECT_EQ(find_source(path).text, "folder:" + path);
  EXPECT_EQ(find_source(path).kind, SourceKind::folder);
  EXPECT_TRUE(throws_with<DataError>([&] { (void)find_source(path + "/none"); }, path + "/none: there is no such"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)find_source("cifr10"); }, "did you mean cifar10?"));
}

}  // namespace
}  // namespace convoy::data
