#include "convoy/sync/codec/coding_time.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(CodingTime, EveryCodecTakesTimeAndNoneTakesNone) {
  EXPECT_EQ(coding_seconds({.codec = CodecKind::none}, 64, 100, 2), 0);
  EXPECT_EQ(coding_seconds({.codec = CodecKind::bf16}, 0, 100, 2), 0);
  for (const std::string& name : codec_names()) {
    if (name == "none") continue;
    EXPECT_GT(coding_seconds({.codec = codec_named(name)}, 64, 100, 2), 0) << name;
  }
}

// A matrix with so few columns that powersgd's factors cannot have as many as it was told.
TEST(CodingTime, FactorsHaveNoMoreColumnsThanTheMatrix) {
  EXPECT_GT(coding_seconds({.codec = CodecKind::powersgd, .rank = 8}, 5, 3, 2), 0);
}

}  // namespace
}  // namespace convoy
