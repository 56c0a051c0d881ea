#include "convoy/kernels/reference/channel_copy.h"

#include <gtest/gtest.h>

namespace convoy::kernels::reference {
namespace {

TEST(ChannelCopyTwin, TakesEveryOtherPixelBetweenZeroChannels) {
  const ChannelCopy copy{.source_channels = 1,
                         .source_w = 3,
                         .destination_channels = 3,
                         .destination_w = 2,
                         .to = 1,
                         .stride = 2,
                         .clear = true};
  EXPECT_EQ(channel_copy(copy, {1, 2, 3}, {9, 9, 9, 9, 9, 9}), (Values{0, 0, 1, 3, 0, 0}));
}

TEST(ChannelCopyTwin, SpreadsPixelsAndKeepsTheRest) {
  const ChannelCopy copy{.source_channels = 2,
                         .source_w = 2,
                         .destination_channels = 1,
                         .destination_w = 3,
                         .from = 1,
                         .stride = 2,
                         .spread = true};
  EXPECT_EQ(channel_copy(copy, {1, 2, 3, 4}, {9, 9, 9}), (Values{3, 9, 4}));
}

}  // namespace
}  // namespace convoy::kernels::reference
