#include "convoy/cli/settings/setting_flags.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/run/settings/settings_file.h"
#include "convoy/run/settings/small_settings_test.h"

namespace convoy::cli {
namespace {

using testing::HasSubstr;

class SettingFlagsTest : public TemporaryFolder {
 protected:
  [[nodiscard]] std::string file(const std::string& text) const {
    put(folder_ / "run.toml", text);
    return (folder_ / "run.toml").string();
  }
};

TEST_F(SettingFlagsTest, FlagsSetValues) {
  Small small;
  CLI::App app;
  const SettingFlags flags(app, small.list);
  app.parse("--model vgg16 --epochs 3 --clip 0.5 --exact --flip false");
  EXPECT_EQ(small.model, "vgg16");
  EXPECT_EQ(small.epochs, 3);
  EXPECT_EQ(small.clip, 0.5);
  EXPECT_TRUE(small.exact);
  EXPECT_EQ(small.flip, false);
  EXPECT_TRUE(flags.is_given("exact"));
}

TEST_F(SettingFlagsTest, SomeFlagsMayStandAlone) {
  for (const auto& [text, value] : {std::pair("--how", "usual"), {"--how other", "other"}, {"--how --n 3", "usual"}}) {
    std::string how = "none";
    int number = 0;
    std::vector<Setting> list;
    SettingGroup("Group", list).add("how", how, "HOW", "").or_alone("usual").add("n", number, "N", "");
    CLI::App app;
    const SettingFlags flags(app, list);
    app.parse(text);
    EXPECT_EQ(how, value) << text;
  }
}

TEST_F(SettingFlagsTest, WrongValuesAreRefusedWithTheFlag) {
  Small small;
  CLI::App app;
  const SettingFlags flags(app, small.list);
  EXPECT_TRUE(
      throws_with<UserError>([&] { app.parse("--epochs many"); }, "--epochs must be a whole number, got 'many'"));
}

TEST_F(SettingFlagsTest, HelpTellsDefaultsUnderHeadings) {
  Small small;
  CLI::App app;
  const SettingFlags flags(app, small.list);
  EXPECT_THAT(app.help(), HasSubstr("--model NAME=lenet"));
  EXPECT_THAT(app.help(), HasSubstr("--epochs N=10"));
  EXPECT_THAT(app.help(), HasSubstr("\nTraining:\n"));
}

TEST_F(SettingFlagsTest, FlagsWinOverFiles) {
  Small small;
  CLI::App app;
  const SettingFlags flags(app, small.list);
  app.parse("--epochs 3");
  read_settings_file(file("epochs = 7\nmodel = 'vgg16'\n"), small.list,
                     [&](const std::string& key) { return flags.is_given(key); });
  EXPECT_EQ(small.epochs, 3);
  EXPECT_EQ(small.model, "vgg16");
}

}  // namespace
}  // namespace convoy::cli
