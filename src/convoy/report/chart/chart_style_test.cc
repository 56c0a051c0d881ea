#include "convoy/report/chart/chart_style.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

namespace convoy::report {
namespace {

std::map<std::string, std::string> properties(const std::string& text) {
  std::map<std::string, std::string> found;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 1)) {
    const std::size_t colon = text.find(':', at);
    found[text.substr(at + 2, colon - at - 2)] = text.substr(colon + 1, text.find(';', colon) - colon - 1);
  }
  return found;
}

// As the Web Content Accessibility Guidelines define it.
double luminance(const std::string& colour) {
  double sum = 0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    sum += weights[i] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const double la = luminance(a) + 0.05;
  const double lb = luminance(b) + 0.05;
  return std::max(la, lb) / std::min(la, lb);
}

class Colours : public testing::TestWithParam<std::string (*)()> {};

TEST_P(Colours, SeriesStandOutFromThePaper) {
  const auto colours = properties(GetParam()());
  for (std::size_t i = 0; i < kColours; ++i) {
    EXPECT_GE(contrast(colours.at("c" + std::to_string(i)), colours.at("paper")), 3.0) << i;
  }
}

TEST_P(Colours, TextIsReadable) {
  const auto colours = properties(GetParam()());
  EXPECT_GE(contrast(colours.at("ink"), colours.at("paper")), 7.0);
  EXPECT_GE(contrast(colours.at("muted"), colours.at("paper")), 4.5);
  for (std::size_t i = 0; i < kShades; ++i) {
    const std::string& text = colours.at(i < kFirstDeepShade ? "on-pale" : "on-deep");
    EXPECT_GE(contrast(colours.at("h" + std::to_string(i)), text), 4.5) << i;
  }
}

TEST_P(Colours, ShadesGoOneWay) {
  const auto colours = properties(GetParam()());
  const double direction = luminance(colours.at("h8")) - luminance(colours.at("h0"));
  for (std::size_t i = 1; i < kShades; ++i) {
    const double step =
        luminance(colours.at("h" + std::to_string(i))) - luminance(colours.at("h" + std::to_string(i - 1)));
    EXPECT_GT(step * direction, 0) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Colours, testing::Values(&light_colours, &dark_colours),
                         [](const auto& test) { return test.param == &light_colours ? "Light" : "Dark"; });

TEST(ChartStyle, UsesOnlyColoursThatThereAre) {
  const auto light = properties(light_colours());
  const std::string style = chart_style();
  for (std::size_t at = style.find("var(--"); at != std::string::npos; at = style.find("var(--", at + 1)) {
    EXPECT_TRUE(light.contains(style.substr(at + 6, style.find(')', at) - at - 6)));
  }
  EXPECT_EQ(light.size(), properties(dark_colours()).size());
}

TEST(SeriesStyle, PairsOfColourAndMarkRepeatLate) {
  std::set<std::string> looks;
  for (std::size_t i = 0; i < kColours * kShapes; ++i) {
    EXPECT_TRUE(looks.insert(fill_class(i) + std::string(mark_path(i))).second) << i;
  }
}

TEST(SeriesStyle, HatchingsAreDefinedWhereTheyAreUsed) {
  const std::string definitions = hatch_definitions("Chart-a", 20);
  for (std::size_t i = 0; i < 20; ++i) {
    const std::string pattern = hatch("Chart-a", i);
    if (pattern.empty()) continue;
    EXPECT_NE(definitions.find("id=\"" + pattern.substr(5, pattern.size() - 6) + "\""), std::string::npos) << pattern;
  }
  EXPECT_EQ(hatch_definitions("Chart-a", 1), "");
}

}  // namespace
}  // namespace convoy::report
