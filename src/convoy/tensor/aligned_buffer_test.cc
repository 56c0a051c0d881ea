#include "convoy/tensor/aligned_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {
namespace {

bool is_zero(const AlignedBuffer& buffer) {
  return std::all_of(buffer.data(), buffer.data() + buffer.size_bytes(), [](std::byte b) { return b == std::byte{0}; });
}

class AlignedBufferSizes : public testing::TestWithParam<std::size_t> {};

// Each round fills the buffer, so that the next round fails if memory that is handed out again was not cleared.
TEST_P(AlignedBufferSizes, IsAlignedAndZeroed) {
  for (int round = 0; round < 3; ++round) {
    AlignedBuffer buffer(GetParam());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % AlignedBuffer::kAlignment, 0U);
    EXPECT_EQ(buffer.size_bytes(), GetParam());
    EXPECT_TRUE(is_zero(buffer));
    std::fill_n(buffer.data(), buffer.size_bytes(), std::byte{0xff});
  }
}

INSTANTIATE_TEST_SUITE_P(SmallAndMapped, AlignedBufferSizes,
                         testing::Values(1, 4, 63, 64, 65, 4096, (1 << 21) - 1, 1 << 21, (1 << 23) + 7));

TEST(AlignedBuffer, EmptyHasNoMemory) {
  EXPECT_EQ(AlignedBuffer().data(), nullptr);
  EXPECT_EQ(AlignedBuffer(0).size_bytes(), 0U);
  EXPECT_TRUE(AlignedBuffer(0).floats().empty());
}

TEST(AlignedBuffer, MovesItsMemory) {
  AlignedBuffer from(8);
  from.floats()[1] = 3.0F;
  AlignedBuffer to = std::move(from);
  EXPECT_EQ(to.floats().size(), 2U);
  EXPECT_EQ(to.floats()[1], 3.0F);
  // The moved-from state is part of the contract.
  EXPECT_EQ(from.data(), nullptr);     // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(from.size_bytes(), 0U);    // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(from.floats().empty());  // NOLINT(bugprone-use-after-move)
  to = AlignedBuffer(1 << 22);
  EXPECT_EQ(to.size_bytes(), std::size_t{1} << 22);
}

TEST(AlignedBuffer, FloatsNeedWholeFloats) { EXPECT_THROW((void)AlignedBuffer(6).floats(), InternalError); }

TEST(AlignedBuffer, TooLargeIsAnErrorWithTheSize) {
  try {
    const AlignedBuffer buffer(std::size_t{1} << 60);
    FAIL() << "got an exbibyte";
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("1152921504606846976 bytes"));
  }
}

}  // namespace
}  // namespace convoy
