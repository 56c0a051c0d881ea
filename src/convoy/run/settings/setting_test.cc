#include "convoy/run/settings/setting.h"

#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

template <typename Value>
Value parsed(const std::string& text) {
  Value value{};
  parse_value("key", text, value);
  return value;
}

template <typename Value>
testing::AssertionResult is_refused(const std::string& text, const std::string& says) {
  return throws_with<UserError>([&] { (void)parsed<Value>(text); }, "key must be " + says + ", got '" + text + "'");
}

TEST(Setting, ReadsValuesOfEveryType) {
  EXPECT_EQ(parsed<std::string>(" a b "), " a b ");
  EXPECT_TRUE(parsed<bool>("true"));
  EXPECT_FALSE(parsed<bool>("false"));
  EXPECT_EQ(parsed<int>("-3"), -3);
  EXPECT_EQ(parsed<std::int64_t>("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parsed<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parsed<float>("0.1"), 0.1F);
  EXPECT_EQ(parsed<double>("1e-3"), 1e-3);
}

TEST(Setting, RefusesWhatIsNoSuchValue) {
  EXPECT_TRUE(is_refused<bool>("yes", "true or false"));
  EXPECT_TRUE(is_refused<bool>("1", "true or false"));
  EXPECT_TRUE(is_refused<int>("2147483648", "a whole number"));
  EXPECT_TRUE(is_refused<int>("1.5", "a whole number"));
  EXPECT_TRUE(is_refused<int>("", "a whole number"));
  EXPECT_TRUE(is_refused<std::int64_t>("ten", "a whole number"));
  EXPECT_TRUE(is_refused<std::int64_t>("10 ", "a whole number"));
  EXPECT_TRUE(is_refused<std::uint64_t>("-1", "a whole number that is not negative"));
  EXPECT_TRUE(is_refused<float>("0,1", "a number"));
  EXPECT_TRUE(is_refused<double>("0.1x", "a number"));
}

TEST(Setting, ARefusedTextChangesNothing) {
  int value = 7;
  EXPECT_THROW(parse_value("key", "8x", value), UserError);
  EXPECT_EQ(value, 7);
}

TEST(Setting, WritesValuesAsTomlDoes) {
  EXPECT_EQ(toml_value(std::string("a \"b\" \\ c")), R"("a \"b\" \\ c")");
  EXPECT_EQ(toml_value(true), "true");
  EXPECT_EQ(toml_value(-5), "-5");
  EXPECT_EQ(toml_value(1.0), "1.0") << "a whole number would be another type";
  EXPECT_EQ(toml_value(0.1F), "0.1");
  EXPECT_EQ(toml_value(1e300), "1e+300");
  EXPECT_EQ(toml_value(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(toml_value(std::uint64_t{1} << 63U), "\"9223372036854775808\"") << "TOML has no such number";
}

TEST(Setting, AnOptionalOneHasNoTextUntilItIsSet) {
  std::optional<double> rate;
  bool exact = false;
  std::vector<Setting> settings;
  SettingGroup("Run", settings).add("lr", rate, "RATE", "").add("exact", exact, "", "");
  EXPECT_EQ(settings[0].toml(), "");
  settings[0].parse("0.25");
  EXPECT_EQ(rate, 0.25);
  EXPECT_EQ(settings[0].toml(), "0.25");
  EXPECT_FALSE(settings[0].is_switch);
  EXPECT_TRUE(settings[1].is_switch);
  EXPECT_EQ(settings[1].group, "Run");
}

TEST(Setting, TextIsUtf8) {
  std::string value;
  parse_value("run-dir", "caf\xc3\xa9", value);
  EXPECT_EQ(value, "caf\xc3\xa9");
  EXPECT_TRUE(throws_with<UserError>([&] { parse_value("run-dir", "a\xff", value); }, "run-dir must be UTF-8 text"));
}

}  // namespace
}  // namespace convoy
