#include "convoy/data/loader/loader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <set>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/rng.h"

namespace convoy::data {
namespace {

// The pixels follow from the sample's number; some chosen samples cannot be read.
class NumberedSource : public Source {
 public:
  explicit NumberedSource(std::int64_t samples, std::set<std::int64_t> unreadable = {})
      : samples_(samples), unreadable_(std::move(unreadable)) {}

  [[nodiscard]] std::string name() const override { return "numbered"; }
  [[nodiscard]] Shape shape() const override { return {2, 6, 5}; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
  [[nodiscard]] std::int64_t size(Split split) const override { return split == Split::train ? samples_ : 7; }
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const override {
    return static_cast<std::int32_t>((i + (split == Split::test ? 1 : 0)) % 3);
  }
  void read(Split /*split*/, std::int64_t i, std::span<std::uint8_t> pixels) const override {
    reads_.fetch_add(1);
    if (unreadable_.contains(i)) throw DataError("sample {} is corrupt", i);
    Rng rng(static_cast<std::uint64_t>(i));
    for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(rng.below(256));
  }
  [[nodiscard]] ChannelStatistics statistics() const override {
    return {.mean = {0.5F, 0.4F}, .deviation = {0.25F, 0.2F}};
  }

  [[nodiscard]] int reads() const { return reads_.load(); }

 private:
  std::int64_t samples_;
  std::set<std::int64_t> unreadable_;
  std::vector<std::string> classes_ = {"a", "b", "c"};
  mutable std::atomic<int> reads_ = 0;
};

LoaderOptions strong_options() {
  LoaderOptions options{.augment = augment_preset("strong"), .global_batch = 40, .instances = 2, .seed = 3};
  options.augment.cutout_size = 2;
  options.mix = {.mixup = 0.4F, .cutmix = 1};
  return options;
}

struct Kept {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> samples;
  std::vector<SecondLabel> second_labels;

  bool operator==(const Kept&) const = default;
};

void append(const Batch& batch, Kept& kept) {
  kept.images.insert(kept.images.end(), batch.images.begin(), batch.images.end());
  kept.labels.insert(kept.labels.end(), batch.labels.begin(), batch.labels.end());
  kept.samples.insert(kept.samples.end(), batch.samples.begin(), batch.samples.end());
  kept.second_labels.insert(kept.second_labels.end(), batch.second_labels.begin(), batch.second_labels.end());
}

Kept load(const Source& source, LoaderOptions options, std::int64_t steps) {
  options.last_step = options.first_step + steps;
  Loader loader(source, options);
  Kept kept;
  while (const Batch* batch = loader.next()) append(*batch, kept);
  return kept;
}

TEST(Loader, ContentDoesNotDependOnThreads) {
  const NumberedSource source(103);
  const Kept alone = load(source, strong_options(), 8);
  EXPECT_EQ(alone.samples.size(), 2U * (103 + 103 + 80));  // two epochs of three steps, and two more steps
  for (const int threads : {0, 2, 5}) {
    for (const int ahead : {1, 4}) {
      LoaderOptions options = strong_options();
      options.threads = threads;
      options.ahead = ahead;
      EXPECT_EQ(load(source, options, 8), alone) << threads << " threads, " << ahead << " ahead";
    }
  }
}

TEST(Loader, ContentDoesNotDependOnRanks) {
  const NumberedSource source(103);
  const Kept alone = load(source, strong_options(), 3);
  for (const int size : {2, 3, 50}) {
    Kept together;
    for (std::int64_t step = 0; step < 3; ++step) {
      for (int rank = 0; rank < size; ++rank) {
        LoaderOptions options = strong_options();
        options.rank = rank;
        options.size = size;
        options.first_step = step;
        options.threads = rank % 2;
        const Kept part = load(source, options, 1);
        append({.images = part.images,
                .labels = part.labels,
                .second_labels = part.second_labels,
                .samples = part.samples},
               together);
      }
    }
    EXPECT_EQ(together, alone) << size;
  }
}

TEST(Loader, RowsAreTheAugmentedSamplesWithTheirLabels) {
  const NumberedSource source(10);
  const LoaderOptions options{.augment = augment_preset("cifar"), .global_batch = 10, .instances = 3, .seed = 8};
  Loader loader(source, options);
  (void)loader.next();
  const Batch batch = *loader.next();
  EXPECT_EQ(batch.step, 1);
  EXPECT_EQ(batch.epoch, 1);
  EXPECT_EQ(batch.global_rows, 30);
  ASSERT_EQ(batch.samples.size(), 30U);
  const Augmenter augmenter(options.augment, source.shape(), source.statistics(), 8);
  Augmenter::Scratch scratch;
  std::vector<std::uint8_t> pixels(60);
  std::vector<float> expected(60);
  for (std::size_t row = 0; row < 30; ++row) {
    const std::int64_t sample = batch.samples[row];
    source.read(Split::train, sample, pixels);
    augmenter.apply(pixels, {.epoch = 1, .sample = sample, .instance = static_cast<int>(row % 3)}, expected, scratch);
    const auto image = batch.images.subspan(row * 60, 60);
    EXPECT_TRUE(std::equal(image.begin(), image.end(), expected.begin())) << row;
    EXPECT_EQ(batch.labels[row], sample % 3);
  }
}

// Without augmentation a blend can be separated again: it consists of the sample's image and that of one sample of the
// second class, in the shares that the batch states.
TEST(Loader, MixedRowsAreOfTwoSamples) {
  const NumberedSource source(30);
  Loader plain(source, {.global_batch = 30, .seed = 8});
  Loader mixed(source, {.mix = {.mixup = 1}, .global_batch = 30, .seed = 8});
  const Batch before = *plain.next();
  const Batch after = *mixed.next();
  EXPECT_TRUE(std::ranges::equal(before.samples, after.samples));
  EXPECT_TRUE(std::ranges::equal(before.labels, after.labels));
  const auto size = static_cast<std::size_t>(source.shape().count());
  const auto differs = [&](std::size_t row, std::size_t other) {  // whether the row differs from the blend of these two
    const SecondLabel second = after.second_labels[row];
    double most = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double blend =
          (1 - second.share) * before.images[row * size + i] + second.share * before.images[other * size + i];
      most = std::max(most, std::abs(blend - after.images[row * size + i]));
    }
    return most;
  };
  for (std::size_t row = 0; row < 30; ++row) {
    EXPECT_GT(after.second_labels[row].share, 0);
    int found = 0;
    for (std::size_t other = 0; other < 30; ++other) {
      const bool fits = before.labels[other] == after.second_labels[row].label && differs(row, other) < 1e-5;
      found += fits ? 1 : 0;
    }
    EXPECT_GE(found, 1) << row;
    EXPECT_EQ(before.second_labels[row].share, 0);
  }
}

TEST(Loader, TestDataIsInOrderAndOnlyNormalised) {
  const NumberedSource source(50);
  LoaderOptions options = strong_options();
  options.split = Split::test;
  options.global_batch = 5;
  Loader loader(source, options);
  EXPECT_EQ(loader.steps_per_epoch(), 2);
  (void)loader.next();
  const Batch* batch = loader.next();
  ASSERT_NE(batch, nullptr);
  EXPECT_EQ(std::vector(batch->samples.begin(), batch->samples.end()), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(std::vector(batch->labels.begin(), batch->labels.end()), (std::vector<std::int32_t>{0, 1}));
  std::vector<std::uint8_t> pixels(60);
  source.read(Split::test, 6, pixels);
  for (std::size_t i = 0; i < 60; ++i) {
    const double expected = i < 30 ? (pixels[i] / 255.0 - 0.5) / 0.25 : (pixels[i] / 255.0 - 0.4) / 0.2;
    EXPECT_NEAR(batch->images[60 + i], expected, 1e-5);
  }
}

// Steps 0 and 2 are complete, step 1 names its first bad sample, and the loader goes on after it.
TEST(Loader, ErrorsComeWithTheirBatchInOrder) {
  const LoaderOptions plain{.global_batch = 40, .seed = 3};
  const Sampler sampler({.samples = 200, .global_batch = 40, .seed = 3});
  const std::int64_t first_bad = sampler.batch(1).row(5).sample;
  const NumberedSource source(200, {first_bad, sampler.batch(1).row(20).sample, sampler.batch(1).row(39).sample});
  for (const int threads : {0, 1, 4}) {
    LoaderOptions options = plain;
    options.threads = threads;
    Loader loader(source, options);
    EXPECT_EQ(loader.next()->step, 0);
    try {
      (void)loader.next();
      FAIL();
    } catch (const DataError& error) {
      EXPECT_EQ(std::string(error.what()), "sample " + std::to_string(first_bad) + " is corrupt");
    }
    EXPECT_EQ(loader.next()->step, 2);
  }
}

TEST(Loader, InstancesAreReadOnce) {
  const NumberedSource source(8);
  LoaderOptions options{.global_batch = 8, .instances = 4};
  (void)load(source, options, 1);
  EXPECT_EQ(source.reads(), 8);
}

// With two batches ahead and one in use by the caller, threads must not have read more than three.
TEST(Loader, MakersStopWhenTheQueueIsFull) {
  const NumberedSource source(1000);
  {
    Loader loader(source, {.global_batch = 10, .threads = 3, .ahead = 2});
    for (int i = 0; i < 5; ++i) {
      (void)loader.next();
      EXPECT_LE(source.reads(), 10 * (i + 3));
    }
  }
  EXPECT_LE(source.reads(), 70);
}

// A source in which every read waits until all threads are reading.
class MeetingSource : public NumberedSource {
 public:
  MeetingSource() : NumberedSource(100) {}
  void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const override {
    if (calls_.fetch_add(1) < 2) both_.arrive_and_wait();
    NumberedSource::read(split, i, pixels);
  }

 private:
  mutable std::atomic<int> calls_ = 0;
  mutable std::latch both_{2};
};

// Hangs unless two threads work on one batch at the same time.
TEST(Loader, ThreadsShareABatch) {
  const MeetingSource source;
  Loader loader(source, {.global_batch = 100, .threads = 2, .ahead = 1, .last_step = 1});
  EXPECT_NE(loader.next(), nullptr);
}

TEST(Loader, StopsAtAnyMoment) {
  const NumberedSource source(500);
  for (int taken = 0; taken < 20; ++taken) {
    Loader loader(source, {.augment = augment_preset("strong"), .global_batch = 33, .threads = 3});
    for (int i = 0; i < taken % 5; ++i) EXPECT_EQ(loader.next()->step, i);
  }
  // The loader's destructor would hang here if a thread had missed the stop, and crash if one had outlived the loader.
}

TEST(Loader, EndsAfterTheLastStepAndStaysThere) {
  const NumberedSource source(50);
  for (const int threads : {0, 2}) {
    Loader loader(source, {.global_batch = 20, .threads = threads, .first_step = 4, .last_step = 5});
    EXPECT_EQ(loader.next()->step, 4);
    EXPECT_EQ(loader.next(), nullptr);
    EXPECT_EQ(loader.next(), nullptr);
  }
}

TEST(Loader, RanksWithoutRowsGetAnEmptyBatch) {
  const NumberedSource source(9);
  for (const int threads : {0, 2}) {
    Loader loader(source, {.global_batch = 4, .rank = 2, .size = 4, .threads = threads, .first_step = 2});
    const Batch* batch = loader.next();
    ASSERT_NE(batch, nullptr);
    EXPECT_EQ(batch->global_rows, 1);
    EXPECT_TRUE(batch->images.empty());
    EXPECT_TRUE(batch->labels.empty());
    EXPECT_EQ(loader.next()->labels.size(), 1U);
  }
}

TEST(Loader, WaitingIsMeasured) {
  const NumberedSource source(50);
  Loader loader(source, {.global_batch = 50, .threads = 0});
  const double first = loader.next()->waited_seconds;
  EXPECT_GT(first, 0);
  EXPECT_DOUBLE_EQ(loader.waited_seconds(), first);
  const double second = loader.next()->waited_seconds;
  EXPECT_DOUBLE_EQ(loader.waited_seconds(), first + second);
}

TEST(Loader, RefusesOptionsOutOfRange) {
  const NumberedSource source(50);
  EXPECT_THROW(Loader(source, {.global_batch = 0}), UserError);
  EXPECT_THROW(Loader(source, {.threads = -1}), UserError);
  EXPECT_THROW(Loader(source, {.ahead = 0}), UserError);
  EXPECT_THROW(Loader(source, {.augment = {.zoom = 3}}), UserError);
  EXPECT_THROW(Loader(NumberedSource(0), {}), UserError);
}

}  // namespace
}  // namespace convoy::data
