#include "convoy/kernels/layout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/kernels/device.h"

namespace convoy::kernels {
namespace {

TEST(Layout, NoneIsEmpty) {
  const Layout none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.bytes(), 0U);
  EXPECT_TRUE(none.dims().empty());
  EXPECT_EQ(none.describe(), "none");
  EXPECT_EQ(none, Layout());
  EXPECT_FALSE(none == Layout::plain({1}));
}

TEST(Layout, DescribesTheOrderInMemory) {
  EXPECT_EQ(Layout::plain({7}).describe(), "a");
  EXPECT_EQ(Layout::plain({2, 3}).describe(), "ab");
  EXPECT_EQ(Layout::plain({2, 3, 4}).describe(), "abc");
  EXPECT_EQ(Layout::plain({2, 3, 4, 5}).describe(), "abcd");
  EXPECT_EQ(Layout::plain({2, 3, 4, 5, 6}).describe(), "abcde");
  EXPECT_EQ(Layout::channels_last({2, 3, 4, 5}).describe(), "acdb");
  EXPECT_EQ(Layout::blocked({2, 3, 4, 5}).describe(), fmt::format("aBcd{}b", channel_block()));
}

TEST(Layout, BytesHoldWholeBlocks) {
  const auto block = static_cast<std::size_t>(channel_block());
  EXPECT_EQ(Layout::plain({2, 3, 4, 5}).bytes(), 2U * 3 * 4 * 5 * 4);
  EXPECT_EQ(Layout::channels_last({2, 3, 4, 5}).bytes(), 2U * 3 * 4 * 5 * 4);
  EXPECT_EQ(Layout::blocked({2, 3, 4, 5}).bytes(), 2U * block * 4 * 5 * 4);
  EXPECT_EQ(Layout::blocked({2, 17, 4, 5}).bytes(), 2U * (block == 16 ? 32 : 24) * 4 * 5 * 4);
  EXPECT_EQ(Layout::blocked({1, 32, 1, 1}).bytes(), 32U * 4);
}

TEST(Layout, KeepsItsDims) {
  const Layout::Dims dims = {2, 17, 4, 5};
  EXPECT_EQ(Layout::plain(dims).dims(), dims);
  EXPECT_EQ(Layout::channels_last(dims).dims(), dims);
  EXPECT_EQ(Layout::blocked(dims).dims(), dims);
}

TEST(Layout, EqualMeansSameOrderAndSameDims) {
  EXPECT_EQ(Layout::blocked({2, 3, 4, 5}), Layout::blocked({2, 3, 4, 5}));
  EXPECT_FALSE(Layout::blocked({2, 3, 4, 5}) == Layout::blocked({2, 4, 4, 5}));
  EXPECT_FALSE(Layout::plain({2, 3, 4, 5}) == Layout::channels_last({2, 3, 4, 5}));
  EXPECT_FALSE(Layout::plain({2, 3, 4, 5}) == Layout::blocked({2, 3, 4, 5}));
}

TEST(Layout, RefusesRanksItHasNoOrderFor) {
  EXPECT_THROW(static_cast<void>(Layout::plain({1, 1, 1, 1, 1, 1})), InternalError);
  EXPECT_THROW(static_cast<void>(Layout::blocked({2, 3})), InternalError);
  EXPECT_THROW(static_cast<void>(Layout::channels_last({2, 3, 4})), InternalError);
}

TEST(Layout, OneBlockOfChannelsLiesTheSameBlockedAndChannelsLast) {
  const std::int64_t block = channel_block();
  const Layout::Dims one = {2, block, 3, 5};
  EXPECT_TRUE(Layout::blocked(one).same_memory(Layout::channels_last(one)));
  EXPECT_TRUE(Layout::blocked(one).same_memory(Layout::blocked(one)));
  EXPECT_FALSE(Layout::blocked(one).same_memory(Layout::plain(one)));
  EXPECT_FALSE(Layout::blocked(one).same_memory(Layout::channels_last({2, block, 5, 3})));
  for (const std::int64_t channels : {block - 1, 2 * block}) {
    const Layout::Dims other = {2, channels, 3, 5};
    EXPECT_FALSE(Layout::blocked(other).same_memory(Layout::channels_last(other))) << channels;
  }
}

}  // namespace
}  // namespace convoy::kernels
