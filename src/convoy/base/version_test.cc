#include "convoy/base/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(BuildInfo, IsFilledIn) {
  const BuildInfo info = build_info();
  EXPECT_THAT(info.version, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_FALSE(info.git_id.empty());
  EXPECT_THAT(info.build_type, testing::ContainsRegex("Release|Debug|RelWithDebInfo"));
  EXPECT_THAT(info.compiler, testing::ContainsRegex("[0-9]"));
  EXPECT_THAT(info.version + info.git_id + info.build_type + info.compiler, testing::Not(testing::HasSubstr("@")));
}

}  // namespace
}  // namespace convoy
