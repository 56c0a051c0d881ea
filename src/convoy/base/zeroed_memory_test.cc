#include "convoy/base/zeroed_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

class ZeroedMemorySizes : public testing::TestWithParam<std::size_t> {};

// Each round fills the memory, so that the next round fails if memory that is handed out again was not cleared.
TEST_P(ZeroedMemorySizes, IsAlignedAndZeroed) {
  const std::size_t bytes = GetParam();
  for (int round = 0; round < 3; ++round) {
    const ZeroedMemory memory = zeroed_memory(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % kLineBytes, 0U);
    EXPECT_TRUE(std::all_of(memory.get(), memory.get() + bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::fill_n(memory.get(), bytes, std::byte{0xff});
  }
}

INSTANTIATE_TEST_SUITE_P(SmallAndMapped, ZeroedMemorySizes,
                         testing::Values(1, 4, 63, 64, 65, 4096, (1 << 21) - 1, 1 << 21, (1 << 23) + 7));

TEST(ZeroedMemory, OfNoBytesIsNothing) { EXPECT_EQ(zeroed_memory(0), nullptr); }

TEST(ZeroedMemory, TooLargeIsAnErrorWithTheSize) {
  EXPECT_TRUE(throws_with<SystemError>([] { (void)zeroed_memory(std::size_t{1} << 60); }, "1152921504606846976 bytes"));
}

}  // namespace
}  // namespace convoy
