#include "convoy/optim/decay_ranges.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"

namespace convoy {
namespace {

void expect_stretch(const DecayRanges& ranges, std::size_t offset, bool decays, std::size_t end) {
  EXPECT_EQ(ranges.at(offset).decays, decays) << "at " << offset;
  EXPECT_EQ(ranges.at(offset).end, end) << "at " << offset;
}

TEST(DecayRanges, LeftOutEverythingDecays) {
  const DecayRanges ranges(std::nullopt, 10);
  expect_stretch(ranges, 0, true, 10);
  expect_stretch(ranges, 9, true, 10);
}

TEST(DecayRanges, EmptyNothingDecays) {
  const DecayRanges ranges(std::vector<DecayRange>{}, 10);
  expect_stretch(ranges, 0, false, 10);
  expect_stretch(ranges, 9, false, 10);
}

TEST(DecayRanges, StretchesEndWhereRangesDo) {
  const DecayRanges ranges(
      std::vector<DecayRange>{{.offset = 0, .count = 2}, {.offset = 5, .count = 3}, {.offset = 9, .count = 1}}, 10);
  expect_stretch(ranges, 0, true, 2);
  expect_stretch(ranges, 1, true, 2);
  expect_stretch(ranges, 2, false, 5);
  expect_stretch(ranges, 4, false, 5);
  expect_stretch(ranges, 5, true, 8);
  expect_stretch(ranges, 8, false, 9);
  expect_stretch(ranges, 9, true, 10);
}

TEST(DecayRanges, ThatOverlapOrLeaveTheArenaAreRefused) {
  const auto make = [](std::vector<DecayRange> ranges) { (void)DecayRanges(ranges, 10); };
  EXPECT_NO_THROW(make({{.offset = 1, .count = 2}, {.offset = 3, .count = 7}}));
  EXPECT_THROW(make({{.offset = 1, .count = 3}, {.offset = 3, .count = 1}}), UserError);
  EXPECT_THROW(make({{.offset = 5, .count = 1}, {.offset = 1, .count = 1}}), UserError);
  EXPECT_THROW(make({{.offset = 5, .count = 6}}), UserError);
  EXPECT_THROW(make({{.offset = 11, .count = 0}}), UserError);
  EXPECT_THROW(make({{.offset = 5, .count = static_cast<std::size_t>(-3)}}), UserError);
}

}  // namespace
}  // namespace convoy
