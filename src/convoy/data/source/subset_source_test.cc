#include "convoy/data/source/subset_source.h"

#include <gtest/gtest.h>

#include <set>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/source/synthetic_source.h"

namespace convoy::data {
namespace {

std::unique_ptr<Source> hundred() {
  return make_synthetic_source({.shape = Shape{1, 8, 8}, .classes = 4, .count = 100});
}

std::vector<std::uint8_t> pixels_of(const Source& source, std::int64_t i) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(source.shape().count()));
  source.read(Split::train, i, pixels);
  return pixels;
}

TEST(SubsetSource, KeepsDifferentSamplesOfTheWholeWithTheirLabels) {
  const auto whole = hundred();
  const auto part = take_subset(hundred(), {.train = 30, .test = 0, .seed = 5});
  ASSERT_EQ(part->size(Split::train), 30);
  EXPECT_EQ(part->size(Split::test), whole->size(Split::test));
  std::set<std::int64_t> found;
  for (std::int64_t i = 0; i < 30; ++i) {
    for (std::int64_t j = 0; j < 100; ++j) {
      if (pixels_of(*part, i) != pixels_of(*whole, j)) continue;
      EXPECT_EQ(part->label(Split::train, i), whole->label(Split::train, j));
      found.insert(j);
    }
  }
  EXPECT_EQ(found.size(), 30U);
  EXPECT_GT(*found.rbegin(), 50) << "drawn from the front only";
}

TEST(SubsetSource, OfAllIsTheSourceItself) {
  auto whole = hundred();
  const Source* const same = whole.get();
  EXPECT_EQ(take_subset(std::move(whole), {}).get(), same);
}

TEST(SubsetSource, RefusesMoreThanThereIs) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)take_subset(hundred(), {.train = 101}); }, "train-samples"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)take_subset(hundred(), {.test = -1}); }, "test-samples"));
}

}  // namespace
}  // namespace convoy::data
