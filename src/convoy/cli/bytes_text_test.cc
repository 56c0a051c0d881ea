#include "convoy/cli/bytes_text.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::cli {
namespace {

TEST(BytesText, ReadsUnits) {
  EXPECT_EQ(parse_bytes("--bucket", "512"), 512U);
  EXPECT_EQ(parse_bytes("--bucket", "1.5K"), 1536U);
  EXPECT_EQ(parse_bytes("--bucket", "4M"), std::size_t{4} << 20);
  EXPECT_EQ(parse_bytes("--bucket", "2G"), std::size_t{2} << 30);
}

TEST(BytesText, RefusesWhatIsNoSize) {
  for (const char* text : {"", "M", "-4M", "0", "4 M", "4MB", "nan", "inf"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)parse_bytes("--bucket", text); }, "--bucket")) << text;
  }
}

}  // namespace
}  // namespace convoy::cli
