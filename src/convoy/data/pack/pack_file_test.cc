#include "convoy/data/pack/pack_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "convoy/base/file/input_file.h"
#include "convoy/data/pack/pack_writer.h"
#include "convoy/data/source/image_file_source.h"
#include "convoy/data/source/image_folder.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/small_data_test.h"
#include "convoy/data/source/synthetic_source.h"

namespace convoy::data {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::unique_ptr<Source> small_source() {
  return make_synthetic_source({.shape = {3, 6, 5}, .classes = 3, .count = 20});
}

std::string error_of(const Bytes& bytes) {
  return data_error_of([&] { PackFile(bytes, "a.pack").verify(); });
}

class PackFileTest : public testing::Test {
 protected:
  PackFileTest() {
    write_pack(path_, *small_source(), {.fingerprint = 77, .threads = 2});
    bytes_ = read_bytes(path_);
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "sub/a.pack";
  Bytes bytes_;
};

TEST_F(PackFileTest, HoldsWhatWasPacked) {
  const auto source = small_source();
  const PackSource pack(path_);
  EXPECT_EQ(pack.name(), source->name());
  EXPECT_EQ(pack.shape(), source->shape());
  EXPECT_EQ(pack.classes(), source->classes());
  EXPECT_EQ(pack.pack().info().fingerprint, 77U);
  for (const Split split : {Split::train, Split::test}) {
    ASSERT_EQ(pack.size(split), source->size(split));
    for (std::int64_t i = 0; i < pack.size(split); ++i) {
      EXPECT_EQ(pack.label(split, i), source->label(split, i));
      EXPECT_EQ(read_sample(pack, split, i), read_sample(*source, split, i));
    }
  }
  const ChannelStatistics measured = measure_statistics(*source, 1);
  EXPECT_EQ(pack.statistics().mean, measured.mean);
  EXPECT_EQ(pack.statistics().deviation, measured.deviation);
}

TEST_F(PackFileTest, AnyFlippedByteThatMattersIsFound) {
  for (std::size_t i = 0; i < bytes_.size(); i += i < sizeof(PackHeader) || i > kPackPixelsOffset ? 1 : 997) {
    if (i >= sizeof(PackHeader) && i < kPackPixelsOffset) continue;  // padding
    Bytes damaged = bytes_;
    damaged[i] ^= 0x10;
    EXPECT_THAT(error_of(damaged), HasSubstr("a.pack: byte")) << i;
  }
}

TEST_F(PackFileTest, CorruptImagesAreLeftOutWhenAskedFor) {
  const std::size_t image = 3 * 6 * 5;
  for (const std::size_t place : {std::size_t{2}, std::size_t{9}}) bytes_[kPackPixelsOffset + place * image] ^= 1;
  write_bytes(path_, bytes_);
  std::vector<std::string> notes;
  SourceOptions options{.skip_corrupt = true};
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  const auto source = open_source("pack:" + path_.string(), options);
  const auto whole = small_source();
  ASSERT_EQ(source->size(Split::train), whole->size(Split::train) - 2);
  EXPECT_EQ(source->size(Split::test), whole->size(Split::test));
  EXPECT_EQ(read_sample(*source, Split::train, 1), read_sample(*whole, Split::train, 1));
  EXPECT_EQ(read_sample(*source, Split::train, 2), read_sample(*whole, Split::train, 3));
  EXPECT_EQ(source->label(Split::train, 8), whole->label(Split::train, 10));
  EXPECT_THAT(notes, testing::ElementsAre(path_.string() + ": corrupt images left out: 2"));
}

TEST_F(PackFileTest, FileCutShortIsFound) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{100}, std::size_t{4096}, bytes_.size() - 1}) {
    EXPECT_THAT(error_of(Bytes(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size))),
                HasSubstr("cut short"))
        << size;
  }
}

TEST_F(PackFileTest, OtherFilesAreNoPacks) {
  EXPECT_THAT(error_of(Bytes(10000, 'x')), HasSubstr("a.pack: byte 0: is not a pack"));
  EXPECT_THAT(data_error_of([&] { const PackSource source(folder_ / "no/such.pack"); }), HasSubstr("no/such.pack"));
}

TEST(PackWriter, CorruptImageIsRefusedOrSkipped) {
  const TemporaryFolder folder;
  write_image_folder(folder / "data", {"a", "b"}, 5);
  write_bytes(folder / "data/b/image 3.jpg", {0xff, 0xd8, 0xff, 1, 2});
  const ImageFileSource source("folder:x", scan_image_folder(folder / "data", 0.2, 0), 8, {}, 1);
  const fs::path path = folder / "out/x.pack";
  EXPECT_THAT(data_error_of([&] { write_pack(path, source, {}); }), HasSubstr("b/image 3.jpg"));
  EXPECT_TRUE(fs::is_empty(folder / "out"));
  const PackResult result = write_pack(path, source, {.skip_corrupt = true});
  EXPECT_EQ(result.samples, 9);
  EXPECT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(PackFile(path).info().skipped, 1);
  PackFile(path).verify();
}

TEST(PackWriter, WhatAKilledWriterLeftIsRemoved) {
  const TemporaryFolder folder;
  write_bytes(folder / "x.pack.77-0.tmp", {1});
  write_pack(folder / "x.pack", *small_source(), {});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

// A limit on the size of files simulates a full disk.
TEST(PackWriter, FullDiskLeavesNothingBehind) {
  const TemporaryFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 5000, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = data_error_of([&] { write_pack(folder / "x.pack", *small_source(), {}); });
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, AllOf(HasSubstr("x.pack: cannot be written"), HasSubstr("nothing was left behind")));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace convoy::data
