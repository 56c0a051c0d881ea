#include "convoy/data/source/synthetic_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/data/source/channel_statistics.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SyntheticSource, ReadsItsSpecification) {
  const SyntheticSpec spec = parse_synthetic_spec("1x8x6,classes=4,count=100");
  EXPECT_EQ(spec.shape, (Shape{1, 8, 6}));
  EXPECT_EQ(spec.classes, 4);
  EXPECT_EQ(spec.count, 100);
  EXPECT_EQ(parse_synthetic_spec("3x2x2").classes, 10);
}

TEST(SyntheticSource, BadSpecificationsAreRefused) {
  for (const char* const text : {"", "3x3", "3x0x3", "3x4x4,count=0", "3x4x4,count=x", "3x4x4,count", "3x4x4,"}) {
    EXPECT_THROW((void)parse_synthetic_spec(text), UserError) << text;
  }
  EXPECT_THAT([] { (void)parse_synthetic_spec("3x4x4,class=3"); },
              ThrowsMessage<UserError>(HasSubstr("did you mean classes?")));
}

TEST(SyntheticSource, SamplesDependOnTheirNumberAlone) {
  const auto a = make_synthetic_source({.shape = {3, 9, 7}, .classes = 3, .count = 50});
  const auto b = make_synthetic_source({.shape = {3, 9, 7}, .classes = 3, .count = 5000});
  EXPECT_EQ(a->size(Split::test), 10);
  EXPECT_EQ(a->label(Split::train, 7), 1);
  EXPECT_EQ(read_sample(*a, Split::train, 7), read_sample(*b, Split::train, 7));
  EXPECT_NE(read_sample(*a, Split::train, 7), read_sample(*a, Split::train, 10));
  EXPECT_NE(read_sample(*a, Split::train, 7), read_sample(*a, Split::test, 7));
}

TEST(SyntheticSource, StatisticsAreTrue) {
  const auto source = make_synthetic_source({.shape = {3, 16, 16}, .classes = 10, .count = 2000});
  const ChannelStatistics measured = measure_statistics(*source, 2);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(measured.mean[c], source->statistics().mean[c], 0.01);
    EXPECT_NEAR(measured.deviation[c], source->statistics().deviation[c], 0.01);
  }
}

// Choosing the class with the nearest mean over the training images recognises the test images.
TEST(SyntheticSource, CanBeLearnt) {
  constexpr std::size_t kClasses = 4;
  const auto source = make_synthetic_source({.shape = {1, 12, 12}, .classes = kClasses, .count = 400});
  std::vector<std::vector<double>> means(kClasses, std::vector<double>(144));
  for (std::int64_t i = 0; i < source->size(Split::train); ++i) {
    const Bytes pixels = read_sample(*source, Split::train, i);
    auto& mean = means[static_cast<std::size_t>(source->label(Split::train, i))];
    for (std::size_t k = 0; k < mean.size(); ++k) {
      mean[k] += pixels[k] / 100.0;
    }
  }
  int right = 0;
  for (std::int64_t i = 0; i < source->size(Split::test); ++i) {
    const Bytes pixels = read_sample(*source, Split::test, i);
    std::vector<double> distances;
    for (const auto& mean : means) {
      double distance = 0;
      for (std::size_t k = 0; k < mean.size(); ++k) {
        distance += (pixels[k] - mean[k]) * (pixels[k] - mean[k]);
      }
      distances.push_back(distance);
    }
    const auto nearest = std::min_element(distances.begin(), distances.end()) - distances.begin();
    right += nearest == source->label(Split::test, i) ? 1 : 0;
  }
  EXPECT_GE(right, 72);  // of 80
}

}  // namespace
}  // namespace convoy::data
