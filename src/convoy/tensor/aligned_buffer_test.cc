#include "convoy/tensor/aligned_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {
namespace {

TEST(AlignedBuffer, IsAlignedAndZeroed) {
  const AlignedBuffer buffer(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % AlignedBuffer::kAlignment, 0U);
  EXPECT_EQ(buffer.size_bytes(), 100U);
  EXPECT_THAT(buffer.floats(), testing::Each(0.0F));
}

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

}  // namespace
}  // namespace convoy
