// The errors for programs that ask a source for something it does not have, or make one from data that does not fit.
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/augment/augmenter.h"
#include "convoy/data/loader/loader.h"
#include "convoy/data/pack/pack_file.h"
#include "convoy/data/pack/pack_writer.h"
#include "convoy/data/source/memory_source.h"
#include "convoy/data/source/small_data_test.h"
#include "convoy/data/source/subset_source.h"
#include "convoy/data/source/synthetic_source.h"

namespace convoy::data {
namespace {

testing::AssertionResult refused(const std::function<void()>& action, const std::string& part) {
  return throws_with<UserError>(action, part);
}

std::unique_ptr<Source> memory_source(Samples train) {
  return std::make_unique<MemorySource>("mine", Shape{1, 2, 2}, std::vector<std::string>{"a", "b"}, std::move(train),
                                        Samples{}, ChannelStatistics{.mean = {0.5F}, .deviation = {0.2F}});
}

void expect_bounds(const Source& source, std::int64_t samples) {
  SCOPED_TRACE(source.name());
  ASSERT_EQ(source.size(Split::train), samples);
  std::vector<std::uint8_t> room(static_cast<std::size_t>(source.shape().count()));
  for (const std::int64_t i : {samples, std::int64_t{-1}}) {
    const std::string part = fmt::format("{} training samples, there is no sample {}", samples, i);
    EXPECT_TRUE(refused([&] { (void)source.label(Split::train, i); }, part));
    EXPECT_TRUE(refused([&] { source.read(Split::train, i, room); }, part));
  }
  room.resize(room.size() - 1);
  EXPECT_TRUE(refused([&] { source.read(Split::train, 0, room); }, "got room for " + std::to_string(room.size())));
}

TEST(Misuse, SamplesThatAreNotThereAreNamed) {
  const TemporaryFolder folder;
  expect_bounds(*memory_source({.pixels = Bytes(8), .labels = {0, 1}}), 2);
  expect_bounds(*make_synthetic_source({.shape = {1, 2, 2}, .classes = 2, .count = 5}), 5);
  expect_bounds(*take_subset(make_synthetic_source({.shape = {1, 2, 2}, .classes = 2, .count = 5}), {.train = 3}), 3);
  (void)write_pack(folder / "p.pack", *memory_source({.pixels = Bytes(8), .labels = {0, 1}}), {});
  expect_bounds(PackSource(folder / "p.pack"), 2);
}

TEST(Misuse, SamplesInMemoryAreWhole) {
  EXPECT_TRUE(refused(
      [] {
        memory_source({.pixels = Bytes(7), .labels = {0, 1}});
      },
      "mine: 2 training images of 1x2x2 are 8 bytes, got 7"));
  EXPECT_TRUE(refused(
      [] {
        memory_source({.pixels = Bytes(8), .labels = {0, 100'000'000}});
      },
      "mine: training sample 1 has label 100000000, but there are 2 classes"));
  EXPECT_TRUE(refused([] { memory_source({.pixels = Bytes(8), .labels = {-1, 0}}); }, "sample 0 has label -1"));
}

TEST(Misuse, SyntheticDataHasImages) {
  EXPECT_TRUE(refused([] { (void)make_synthetic_source({.shape = {3, 32}}); }, "the shape 3x32 is not CxHxW"));
  EXPECT_TRUE(refused([] { (void)make_synthetic_source({.shape = {3, 0, 32}}); }, "3x0x32"));
  EXPECT_TRUE(refused([] { (void)make_synthetic_source({.classes = 0}); }, "0 classes"));
  EXPECT_TRUE(refused([] { (void)make_synthetic_source({.count = 0}); }, "0 images"));
}

TEST(Misuse, LoadersKnowTheirRanksAndSteps) {
  const auto source = make_synthetic_source({.shape = {1, 2, 2}, .classes = 2, .count = 5});
  EXPECT_TRUE(refused([&] { Loader(*source, {.rank = 2, .size = 2}); }, "no rank 2 among 2"));
  EXPECT_TRUE(refused([&] { Loader(*source, {.size = 2, .grains = 3}); }, "3 grains cannot be shared evenly by 2"));
  EXPECT_TRUE(refused([&] { Loader(*source, {.first_step = -1}); }, "no step -1"));
  EXPECT_TRUE(refused(
      [&] {
        Loader(*source, {.statistics = {.mean = {0, 0}, .deviation = {1, 1}}});
      },
      "images of 1x2x2 cannot be normalised by the statistics of 2 channels"));
  EXPECT_TRUE(refused([&] { Loader(*source, {.statistics = {.mean = {0}}}); }, "1 means and 0 deviations"));
}

TEST(Misuse, ImagesHaveTheSizeThatIsAugmented) {
  const Augmenter augmenter({}, {1, 2, 2}, {.mean = {0}, .deviation = {1}}, 1);
  std::vector<float> values(4);
  EXPECT_TRUE(refused([&] { augmenter.normalise(std::vector<std::uint8_t>(3), values); },
                      "an image of 1x2x2 has 4 pixels, got 3 bytes and room for 4 values"));
  EXPECT_TRUE(refused([] { Augmenter({}, {4}, {}, 1); }, "only images CxHxW can be augmented, not 4"));
}

}  // namespace
}  // namespace convoy::data
