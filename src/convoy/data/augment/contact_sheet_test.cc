#include "convoy/data/augment/contact_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/base/error.h"

namespace convoy::data {
namespace {

// Each image has a single colour, which identifies the sample.
class PlainSource : public Source {
 public:
  explicit PlainSource(int channels, std::int64_t samples = 5) : channels_(channels), samples_(samples) {}

  [[nodiscard]] std::string name() const override { return "plain"; }
  [[nodiscard]] Shape shape() const override { return {channels_, 10, 12}; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
  [[nodiscard]] std::int64_t size(Split /*split*/) const override { return samples_; }
  [[nodiscard]] std::int32_t label(Split /*split*/, std::int64_t i) const override {
    return static_cast<std::int32_t>(i % 2);
  }
  void read(Split /*split*/, std::int64_t i, std::span<std::uint8_t> pixels) const override {
    for (std::size_t p = 0; p < pixels.size(); ++p) pixels[p] = byte(i, static_cast<int>(p / 120));
  }
  [[nodiscard]] ChannelStatistics statistics() const override {
    const auto channels = static_cast<std::size_t>(channels_);
    return {.mean = std::vector<float>(channels, 0.6F), .deviation = std::vector<float>(channels, 0.2F)};
  }

  static std::uint8_t byte(std::int64_t sample, int channel) {
    return static_cast<std::uint8_t>(60 + 20 * sample + 7 * channel);
  }

 private:
  int channels_;
  std::int64_t samples_;
  std::vector<std::string> classes_ = {"cat", "dog"};
};

std::int64_t count_of(const RgbImage& image, Colour colour) {
  std::int64_t count = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) count += image.at(x, y) == colour ? 1 : 0;
  }
  return count;
}

// How many pixels have this colour, below and to the right of the first pixel of the colour `original`. Text is above
// and to the left, and its edges may have any grey.
std::int64_t count_among_images(const RgbImage& image, Colour original, Colour colour) {
  int left = image.width;
  int top = image.height;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (image.at(x, y) != original) continue;
      left = std::min(left, x);
      top = std::min(top, y);
    }
  }
  std::int64_t count = 0;
  for (int y = top; y < image.height; ++y) {
    for (int x = left; x < image.width; ++x) count += image.at(x, y) == colour ? 1 : 0;
  }
  return count;
}

// Without augmentation each sample's colour fills the original and each appearance, enlarged.
TEST(ContactSheet, EachSampleHasItsRow) {
  const PlainSource source(3);
  const RgbImage sheet = draw_contact_sheet(source, {.samples = 5, .appearances = 3, .smallest_side = 40});
  for (std::int64_t i = 0; i < 5; ++i) {
    const Colour colour{PlainSource::byte(i, 0), PlainSource::byte(i, 1), PlainSource::byte(i, 2)};
    EXPECT_EQ(count_of(sheet, colour), 4 * (4 * 10) * (4 * 12)) << i;
  }
}

TEST(ContactSheet, AppearancesAreAugmentedAndOriginalsAreNot) {
  const PlainSource source(3, 1);
  ContactSheetOptions options{.samples = 1, .appearances = 2, .smallest_side = 10};
  options.augment.cutout_size = 10;
  options.augment.cutout_count = 200;  // covers the whole image, which becomes the mean, 0.6
  const RgbImage sheet = draw_contact_sheet(source, options);
  EXPECT_EQ(count_of(sheet, {60, 67, 74}), 120);
  EXPECT_EQ(count_among_images(sheet, {60, 67, 74}, {153, 153, 153}), 2 * 120);
}

TEST(ContactSheet, GreyImagesAreGrey) {
  const RgbImage sheet = draw_contact_sheet(PlainSource(1), {.samples = 5, .appearances = 0, .smallest_side = 1});
  for (int sample = 0; sample < 5; ++sample) {
    const std::uint8_t grey = PlainSource::byte(sample, 0);
    EXPECT_GE(count_of(sheet, {grey, grey, grey}), 120) << "and some at the edges of letters";
  }
}

TEST(ContactSheet, TitleAndClassesAreDrawn) {
  const PlainSource source(3);
  const auto ink = [&](const std::string& title) {
    return count_of(draw_contact_sheet(source, {.title = title, .samples = 2}), {20, 20, 20});
  };
  EXPECT_GT(ink(""), 100);  // class names
  EXPECT_GT(ink("||"), ink("") + 2 * 20) << "lines of 24 pixels";
  // A long title makes the sheet wider instead of being cut off.
  EXPECT_GT(draw_contact_sheet(source, {.title = std::string(300, 'x')}).width, 300 * 12);
}

TEST(ContactSheet, ShowsTheSamplesThatWereAskedFor) {
  const PlainSource source(3);
  const Colour third{PlainSource::byte(3, 0), PlainSource::byte(3, 1), PlainSource::byte(3, 2)};
  const RgbImage chosen = draw_contact_sheet(source, {.appearances = 0, .smallest_side = 1, .chosen = {3}});
  EXPECT_EQ(count_of(chosen, third), 120);
  // Odd samples are dogs: two of five.
  const RgbImage dogs = draw_contact_sheet(source, {.appearances = 0, .smallest_side = 1, .only_class = "dog"});
  EXPECT_EQ(count_of(dogs, third), 120);
  EXPECT_EQ(count_of(dogs, {PlainSource::byte(2, 0), PlainSource::byte(2, 1), PlainSource::byte(2, 2)}), 0);
  EXPECT_THROW((void)draw_contact_sheet(source, {.chosen = {5}}), UserError);
  EXPECT_THROW((void)draw_contact_sheet(source, {.only_class = "dgo"}), UserError);
}

TEST(ContactSheet, SvgHasTypeAndAPictureForEachImage) {
  const std::string svg = contact_sheet_svg(PlainSource(3), {.title = "a < b & c", .samples = 2, .appearances = 3});
  std::size_t images = 0;
  for (std::size_t at = svg.find("<image "); at != std::string::npos; at = svg.find("<image ", at + 1)) ++images;
  EXPECT_EQ(images, 2U * 4);
  EXPECT_NE(svg.find(">a &lt; b &amp; c</text>"), std::string::npos);
}

TEST(ContactSheet, ShowsNoMoreSamplesThanThereAre) {
  const PlainSource source(3, 2);
  EXPECT_EQ(draw_contact_sheet(source, {.samples = 8}).height, draw_contact_sheet(source, {.samples = 2}).height);
}

TEST(ContactSheet, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW((void)draw_contact_sheet(PlainSource(3), {.samples = 0}), UserError);
  EXPECT_THROW((void)draw_contact_sheet(PlainSource(3), {.appearances = -1}), UserError);
  EXPECT_THROW((void)draw_contact_sheet(PlainSource(3, 0), {}), DataError);
}

}  // namespace
}  // namespace convoy::data
