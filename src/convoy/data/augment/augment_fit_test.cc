#include "convoy/data/augment/augment_fit.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/augment/augmenter.h"

namespace convoy::data {
namespace {

TEST(AugmentFit, CutoutsLargerThanTheImagesAreRefused) {
  AugmentOptions options;
  options.cutout_size = 28;
  EXPECT_NO_THROW(validate_for(options, Shape({3, 28, 32})));
  EXPECT_TRUE(throws_with<UserError>(
      [&] {
        validate_for(options, Shape({3, 32, 27}));
      },
      "a cutout of 28 pixels does not fit images of 32x27; it is at most 27"));
  options.cutout_size = 99;
  const ChannelStatistics statistics{.mean = {0, 0, 0}, .deviation = {1, 1, 1}};
  EXPECT_THROW(Augmenter(options, Shape({3, 32, 32}), statistics, 0), UserError);
}

}  // namespace
}  // namespace convoy::data
