#include "convoy/comm/stream_copy.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace convoy {
namespace {

TEST(StreamCopy, CopiesAnyLengthToAnyPlaceAndNothingElse) {
  std::vector<float> from(100);
  std::iota(from.begin(), from.end(), 1.0F);
  for (std::size_t begin = 0; begin < 6; ++begin) {
    for (const std::size_t count : {0, 1, 2, 3, 4, 5, 7, 64, 67}) {
      std::vector<float> to(100, -1.0F);
      stream_copy(std::span(from).subspan(3, count), std::span(to).subspan(begin, count));
      for (std::size_t i = 0; i < to.size(); ++i) {
        const bool copied = i >= begin && i < begin + count;
        ASSERT_EQ(to[i], copied ? from[3 + i - begin] : -1.0F) << begin << ", " << count << ", " << i;
      }
    }
  }
}

}  // namespace
}  // namespace convoy
