#include "convoy/models/stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/graph/analysis.h"

namespace convoy {
namespace {

Shape field_of(const std::string& windows) {
  const LayerAnalysis last = analyse(stack_of_windows(windows)).layers.back();
  return {last.receptive_height, last.receptive_width};
}

TEST(StackOfWindows, HasTheTextbooksReceptiveFields) {
  EXPECT_EQ(field_of("5x5,5x5,5x5"), Shape({13, 13}));
  EXPECT_EQ(field_of("3x3, 3x3, 3x3"), Shape({7, 7}));
  EXPECT_EQ(field_of("7x7/2,3x3/2,3x3"), Shape({19, 19}));
  EXPECT_EQ(field_of("3x3d2,1x5"), Shape({5, 9}));
  EXPECT_EQ(field_of("3"), Shape({3, 3}));
}

TEST(StackOfWindows, SeesOnePixelOfTheSmallestInputOrTakesAGivenOne) {
  EXPECT_EQ(stack_of_windows("5x5,3x3").layers().back().shape, Shape({1, 1, 1}));
  const Graph graph = stack_of_windows("3x3,3x3", {64, 10, 12});
  EXPECT_EQ(graph.layers().back().shape, Shape({64, 6, 8}));
  EXPECT_EQ(analyse(graph).weights, 2 * 9 * 64 * 64);
}

TEST(StackOfWindows, RefusesWhatIsNone) {
  for (const char* const text : {"", "x", "3x3,,3x3", "3x3;3x3", "-3x3", "3x3/d2", "99999999x3"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)stack_of_windows(text); }, "--stack")) << text;
  }
  EXPECT_THROW((void)stack_of_windows("0x3"), UserError);
  EXPECT_THROW((void)stack_of_windows("3x3/0"), UserError);
  EXPECT_THROW((void)stack_of_windows("9999x9999,9999x9999,9999x9999,9999x9999,9999x9999"), UserError);
}

}  // namespace
}  // namespace convoy
