#include "convoy/run/settings/settings_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/run/settings/small_settings_test.h"
#include "convoy/run/settings/train_settings.h"

namespace convoy {
namespace {

using testing::HasSubstr;

class SettingsFile : public TemporaryFolder {
 protected:
  [[nodiscard]] std::string file(const std::string& text) const {
    put(folder_ / "run.toml", text);
    return (folder_ / "run.toml").string();
  }
  [[nodiscard]] testing::AssertionResult is_refused(const std::string& text, const std::string& says) const {
    Small small;
    return throws_with<UserError>([&] { read_settings_file(file(text), small.list); }, says);
  }
};

TEST_F(SettingsFile, FilesSetValues) {
  Small small;
  read_settings_file(file("# a comment\nmodel = 'vgg16'\nepochs = 3\nclip = 1\nexact = true\nflip = true\n"),
                     small.list);
  EXPECT_EQ(small.model, "vgg16");
  EXPECT_EQ(small.epochs, 3);
  EXPECT_EQ(small.clip, 1);
  EXPECT_TRUE(small.exact);
  EXPECT_EQ(small.flip, true);
}

TEST_F(SettingsFile, WhatIsWrongInAFileIsNamedWithItsLine) {
  const std::string path = (folder_ / "run.toml").string();
  EXPECT_TRUE(is_refused("model = 'a'\n\nepocs = 3\n", path + ":3: unknown key 'epocs'; did you mean 'epochs'?"));
  EXPECT_TRUE(is_refused("num_epochs = 3\n", path + ":1: unknown key 'num_epochs'; did you mean 'epochs'?"));
  EXPECT_TRUE(is_refused("colour = 3\n", path + ":1: unknown key 'colour'; keys are the long flags of the command"));
  EXPECT_TRUE(is_refused("\nepochs = 'many'\n", path + ":2: epochs must be a whole number, got 'many'"));
  EXPECT_TRUE(is_refused("epochs = 1.5\n", path + ":1: epochs must be a whole number, got '1.5'"));
  EXPECT_TRUE(is_refused("exact = 1\n", path + ":1: exact must be true or false, got '1'"));
  EXPECT_TRUE(is_refused("epochs = [1, 2]\n", path + ":1: 'epochs' must be a single value"));
  EXPECT_TRUE(is_refused("model = 'a'\nepochs = = 3\n", path + ":2: "));
  EXPECT_TRUE(is_refused("epochs = 3\nepochs = 4\n", path + ":2: "));
  EXPECT_TRUE(is_refused("[training]\nepochs = 4\n", path + ":1: "));
}

TEST_F(SettingsFile, AFileThatIsNotThereIsNamed) {
  Small small;
  EXPECT_TRUE(throws_with<UserError>([&] { read_settings_file(folder_ / "none.toml", small.list); },
                                     "none.toml: there is no such file"));
}

TEST_F(SettingsFile, WritesUnderHeadingsWhatHasAValue) {
  Small small;
  EXPECT_EQ(settings_toml(small.list),
            "# Model\nmodel = \"lenet\"\nexact = false\n\n# Training\nepochs = 10\nclip = 0.0\n");
}

// A value for each setting that differs from the default and has digits that would be lost in a shorter text.
std::string other_value(const Setting& setting) {
  for (const char* text : {"a 'b' \"c\" \\ é, #", "0.12345678901234566", "18446744073709551557", "2147483629"}) {
    try {
      setting.parse(text);
      return text;
    } catch (const UserError&) {
      continue;  // it has another type
    }
  }
  return "true";
}

TEST_F(SettingsFile, EverySettingOfTrainComesBackToTheBit) {
  TrainSettings settings;
  const std::vector<Setting> list = train_setting_list(settings);
  for (const Setting& setting : list) setting.parse(other_value(setting));
  TrainSettings back;
  const std::vector<Setting> back_list = train_setting_list(back);
  read_settings_file(file(settings_toml(list)), back_list);
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_NE(list[i].toml(), "") << list[i].key;
    EXPECT_EQ(back_list[i].toml(), list[i].toml()) << list[i].key;
  }
  EXPECT_EQ(settings.learning_rate, 0.12345678901234566);
  EXPECT_EQ(back.learning_rate, settings.learning_rate);
  EXPECT_EQ(back.augment.zoom, settings.augment.zoom);
  EXPECT_EQ(settings.augment.zoom, 0.12345678901234566F);
  EXPECT_EQ(back.seed, 18446744073709551557U);
  EXPECT_EQ(back.freeze, settings.freeze);
}

TEST_F(SettingsFile, AwkwardNumbersComeBackToTheBit) {
  for (const double number : {0.1, 1.0 / 3, 1e-300, 5e-324, 1.7976931348623157e308, 123456789.0, 1e15, 1e16, 1e17}) {
    Small small;
    small.clip = number;
    Small back;
    read_settings_file(file(settings_toml(small.list)), back.list);
    EXPECT_EQ(back.clip, number);
  }
}

TEST_F(SettingsFile, KeysOfTrainAreAllDifferent) {
  TrainSettings settings;
  std::set<std::string> keys;
  for (const Setting& setting : train_setting_list(settings))
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
}

TEST_F(SettingsFile, FilesThatAreTooDeepAreRefused) {
  std::string keys;
  for (int i = 0; i < 100000; ++i) keys += "a.";
  EXPECT_TRUE(is_refused("epochs = 1\n" + keys + "a = 1\n", "run.toml:2: keys or brackets are nested"));
  EXPECT_TRUE(is_refused("model = " + std::string(100000, '['), "run.toml:1: keys or brackets are nested"));
  Small small;
  EXPECT_TRUE(throws_with<UserError>([&] { read_settings_file(folder_, small.list); }, "it is a folder"));
}

}  // namespace

}  // namespace convoy
