#include "convoy/record/run_info.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/record/json_fields.h"

namespace convoy {
namespace {

using Json = nlohmann::ordered_json;

RunInfo some_info() {
  RunInfo info = describe_run({"convoy", "train", "--lr", "0.1"}, {{"z", 1}, {"a", {{"b", nullptr}}}});
  info.ranks = 4;
  info.hosts.push_back({"node2", "a processor", 28, 1LL << 40U});
  info.libraries = {{"oneDNN", "2.6.3"}};
  return info;
}

RunInfo there_and_back(const RunInfo& info) { return run_info_from(parse_json(json_file_text(to_json(info)))); }

TEST(RunInfoTest, DescribesThisBuildMachineAndTime) {
  const RunInfo info = some_info();
  EXPECT_EQ(info.build.version, build_info().version);
  EXPECT_EQ(info.build.git_id, build_info().git_id);
  ASSERT_EQ(info.hosts.size(), 2U);
  EXPECT_FALSE(info.hosts[0].name.empty());
  EXPECT_GE(info.hosts[0].usable_cores, 1);
  ASSERT_EQ(info.started.size(), 20U);
  EXPECT_GT(info.started, "2024-01-01T00:00:00Z");
}

TEST(RunInfoTest, ComesBackFromJson) {
  const RunInfo info = some_info();
  const RunInfo back = there_and_back(info);
  EXPECT_EQ(to_json(back), to_json(info));
  EXPECT_EQ(back.schema, 1);
  EXPECT_EQ(back.command_line, info.command_line);
  EXPECT_EQ(back.configuration.dump(), "{\"z\":1,\"a\":{\"b\":null}}") << "order is kept";
  EXPECT_EQ(back.ranks, 4);
  EXPECT_EQ(back.hosts, info.hosts);
  EXPECT_EQ(back.libraries, info.libraries);
  EXPECT_EQ(back.started, info.started);
}

TEST(RunInfoTest, EarlierSittingsAreKept) {
  RunInfo info = some_info();
  info.from_step = 100;
  info.earlier_sittings.push_back(some_info());
  info.earlier_sittings[0].ranks = 2;
  const RunInfo back = there_and_back(info);
  ASSERT_EQ(back.earlier_sittings.size(), 1U);
  EXPECT_EQ(back.earlier_sittings[0].ranks, 2);
  EXPECT_EQ(back.from_step, 100);
}

// Arguments and host names can be any bytes.
TEST(RunInfoTest, TextThatIsNoUtf8IsNotRefused) {
  RunInfo info = some_info();
  info.command_line = {"convoy", "\xff\xfe.png"};
  EXPECT_EQ(there_and_back(info).command_line[1], "\xEF\xBF\xBD\xEF\xBF\xBD.png");
}

TEST(RunInfoTest, NewerSchemaIsTheUsersBusiness) {
  Json json = to_json(some_info());
  json["schema"] = 2;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)run_info_from(json); }, "version 2"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)run_info_from(json); }, "up to 1"));
  json["schema"] = 0;
  EXPECT_TRUE(throws_with<DataError>([&] { (void)run_info_from(json); }, "'schema' is 0"));
}

TEST(RunInfoTest, EveryFieldIsNeeded) {
  const Json whole = to_json(some_info());
  for (const auto& [name, value] : whole.items()) {
    Json json = whole;
    json.erase(name);
    EXPECT_TRUE(throws_with<DataError>([&] { (void)run_info_from(json); }, "'" + name + "' is missing"));
    if (name == "configuration") continue;
    json[name] = true;
    EXPECT_THROW((void)run_info_from(json), DataError) << name;
  }
}

}  // namespace
}  // namespace convoy
