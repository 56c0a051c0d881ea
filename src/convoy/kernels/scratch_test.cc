#include "convoy/kernels/scratch.h"

#include <gtest/gtest.h>

#include <vector>

namespace convoy::kernels {
namespace {

constexpr int kThreads = 3;

TEST(Scratch, ThreadsHaveTheirPartsAtTheSamePlacesInEveryKernel) {
  Scratch small(nullptr, kThreads);
  (void)small.take_own(100);
  (void)small.take(5000);
  Scratch large(nullptr, kThreads);
  (void)large.take_own(100'000);
  (void)large.take_own(3);
  EXPECT_EQ(small.distance(), large.distance());
}

TEST(Scratch, PartsDoNotOverlap) {
  std::vector<float> memory(1 << 23);
  Scratch scratch(memory.data(), kThreads);
  const float* first = scratch.take_own(17);
  const float* second = scratch.take_own(1'500'000);
  const float* shared = scratch.take(10);
  EXPECT_EQ(first, memory.data());
  EXPECT_EQ(second, memory.data() + 32) << "the next cache line";
  EXPECT_GE(scratch.distance(), 32 + 1'500'000);
  EXPECT_EQ(shared, memory.data() + kThreads * scratch.distance());
  EXPECT_EQ(scratch.bytes(), (kThreads * static_cast<std::size_t>(scratch.distance()) + 16) * sizeof(float));
}

TEST(Scratch, OneThreadNeedsNoGaps) {
  Scratch scratch;
  (void)scratch.take_own(16);
  (void)scratch.take(16);
  EXPECT_EQ(scratch.bytes(), 32 * sizeof(float));
}

}  // namespace
}  // namespace convoy::kernels
