#include "convoy/data/source/source_digest.h"

#include <gtest/gtest.h>

#include "convoy/data/source/subset_source.h"
#include "convoy/data/source/synthetic_source.h"

namespace convoy::data {
namespace {

std::unique_ptr<Source> synthetic(std::int64_t count = 100, std::int64_t classes = 4) {
  return make_synthetic_source({.shape = Shape{1, 8, 8}, .classes = classes, .count = count});
}

TEST(SourceDigest, IsTheSameForTheSameSamples) {
  EXPECT_EQ(digest_of(*synthetic()), digest_of(*synthetic()));
  EXPECT_EQ(difference(digest_of(*synthetic()), digest_of(*synthetic())), "");
  EXPECT_EQ(digest_of(*synthetic(1)), digest_of(*synthetic(1))) << "a single image";
}

TEST(SourceDigest, TellsNumbersAndClasses) {
  EXPECT_EQ(difference(digest_of(*synthetic(90)), digest_of(*synthetic(1100))),
            "it has 90 images to train on and had 1,100");
  EXPECT_EQ(difference(digest_of(*synthetic(100, 5)), digest_of(*synthetic())), "it has 5 classes and had 4");
}

// Two samples that change places have the same numbers, classes and, taken together, pixels.
TEST(SourceDigest, TellsTheOrder) {
  const auto with = [](std::int64_t first, std::int64_t second) {
    return digest_of(*take_samples(synthetic(), {.train = {first, second}, .test = {0}}));
  };
  EXPECT_EQ(with(3, 8), with(3, 8));
  EXPECT_EQ(difference(with(8, 3), with(3, 8)), "its images or their labels are others");
}

}  // namespace
}  // namespace convoy::data
