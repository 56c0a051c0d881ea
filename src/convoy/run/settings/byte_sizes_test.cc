#include "convoy/run/settings/byte_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

using testing::ElementsAre;

TEST(ByteSizes, HaveUnits) {
  EXPECT_THAT(parse_byte_sizes("1K,100,4M,2G"), ElementsAre(100U, 1024U, 4194304U, 2147483648U));
  EXPECT_THAT(parse_byte_sizes("64K,4,64K"), ElementsAre(4U, 65536U));
}

TEST(ByteSizes, RefuseWhatIsNone) {
  for (const char* text : {"", "K", "1K,", ",1K", "1.5M", "-4", "4T", "1 K", "0", "3", "5G", "99999999999G"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)parse_byte_sizes(text); }, "is no size")) << text;
  }
}

TEST(ByteSizes, OneAlone) {
  EXPECT_EQ(parse_byte_size("--bucket", "512K"), 524288U);
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_byte_size("--bucket", "1K,4M"); }, "--bucket"));
}

TEST(ByteSizes, AreWrittenShort) {
  EXPECT_EQ(byte_size_text(4), "4");
  EXPECT_EQ(byte_size_text(1000), "1000");
  EXPECT_EQ(byte_size_text(65536), "64K");
  EXPECT_EQ(byte_size_text(67108864), "64M");
}

}  // namespace
}  // namespace convoy
