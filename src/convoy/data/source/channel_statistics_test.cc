#include "convoy/data/source/channel_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace convoy::data {
namespace {

TEST(ChannelSums, ConstantChannelsAreNotScaled) {
  for (int level = 0; level < 256; ++level) {
    ChannelSums sums(2);
    const auto constant = static_cast<std::uint8_t>(level);
    for (int image = 0; image < 7; ++image) {
      sums.add(std::vector<std::uint8_t>{constant, constant, constant, 0, 100, 200});
    }
    const ChannelStatistics statistics = sums.statistics();
    EXPECT_EQ(statistics.deviation[0], 1) << level;
    EXPECT_NEAR(statistics.mean[0], level / 255.0, 1e-6);
    EXPECT_NEAR(statistics.deviation[1], 100 * std::sqrt(2.0 / 3) / 255, 1e-6);
  }
}

}  // namespace
}  // namespace convoy::data
