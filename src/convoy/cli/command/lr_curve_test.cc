#include "convoy/cli/command/lr_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "convoy/base/odd_numbers_test.h"

namespace convoy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// From 1e-5 to 1 in 41 steps, the loss falling from 4 to 0.
std::vector<LrRangePoint> falling() {
  std::vector<LrRangePoint> points;
  for (int i = 0; i <= 40; ++i) {
    const double loss = 4.0 - i / 10.0;
    points.push_back({.rate = std::pow(10, i / 8.0 - 5), .loss = loss, .smoothed = loss});
  }
  return points;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(LrCurveText, FallsFromTopLeftToBottomRight) {
  const auto lines = lines_of(lr_curve_text(falling(), 0.01));
  ASSERT_EQ(lines.size(), 19U);
  EXPECT_EQ(lines[0].find('*'), 11U);
  EXPECT_THAT(lines[0], HasSubstr("4 |"));
  EXPECT_EQ(lines[15].rfind('*'), 11U + 63);
  EXPECT_THAT(lines[15], HasSubstr("0 |"));
}

TEST(LrCurveText, MarksDecadesAndTheSuggestion) {
  const auto lines = lines_of(lr_curve_text(falling(), 1.0));
  EXPECT_EQ(lines[17].find("1e-5"), 11U);
  EXPECT_EQ(lines[17].find("1e0"), 11U + 63);
  EXPECT_EQ(lines[18].find("^ suggestion"), 11U + 63);
  EXPECT_THAT(lr_curve_text(falling(), std::nullopt), Not(HasSubstr("suggestion")));
}

TEST(LrCurveText, HasNoTrailingBlanks) {
  for (const std::string& line : lines_of(lr_curve_text(falling(), 0.01))) EXPECT_FALSE(line.ends_with(' ')) << line;
}

TEST(LrCurve, APointWhereTheLossLeftFlattensNoOther) {
  auto points = falling();
  points.back().smoothed = 1e30;
  const auto lines = lines_of(lr_curve_text(points, std::nullopt));
  EXPECT_EQ(lines[15].find_last_of('*'), 11U + 61) << "the others fill the frame";
  EXPECT_EQ(lines[0].rfind('*'), 11U + 63) << "it is at the upper edge";
}

TEST(LrCurve, SurvivesOnePointNoPointAndNoNumbers) {
  const std::vector<std::vector<LrRangePoint>> cases = {
      {},
      {{.rate = 1e-3, .loss = 2, .smoothed = 2}},
      {{.rate = 1e-3, .loss = kNan, .smoothed = kNan}},
      {{.rate = 1e-3, .loss = 2, .smoothed = 2}, {.rate = 1e-2, .loss = kNan, .smoothed = kNan}},
      {{.rate = 1e-3, .loss = 2, .smoothed = 2}, {.rate = 1e-2, .loss = 2, .smoothed = 2}},
      {{.rate = 1e-3, .loss = 0, .smoothed = 0},
       {.rate = 1e-2, .loss = 1, .smoothed = std::numeric_limits<double>::infinity()}}};
  for (const auto& points : cases) {
    for (const std::optional<double> suggestion : {std::optional<double>(), std::optional<double>(1e-3)}) {
      const std::string text = lr_curve_text(points, suggestion);
      EXPECT_THAT(text, Not(HasSubstr("nan")));
      EXPECT_LT(text.size(), 4000U);
      const std::string svg = lr_curve_svg(points, suggestion, "title");
      EXPECT_EQ(svg.empty(), text.empty());
      EXPECT_THAT(svg, Not(HasSubstr("nan")));
    }
  }
}

TEST(LrCurveSvg, ShowsCurveTitleAndSuggestion) {
  const std::string svg = lr_curve_svg(falling(), 0.01, "lenet on mnist");
  EXPECT_THAT(svg, HasSubstr("lenet on mnist"));
  EXPECT_THAT(svg, HasSubstr("learning rate"));
  EXPECT_THAT(svg, HasSubstr("suggestion: 0.01"));
  EXPECT_THAT(lr_curve_svg(falling(), std::nullopt, "lenet on mnist"), Not(HasSubstr("suggestion")));
}

TEST(LrCurveCsv, HasAllPoints) {
  const std::vector<LrRangePoint> points = {{.rate = 0.1, .loss = 1.5, .smoothed = 1.25},
                                            {.rate = 1, .loss = kNan, .smoothed = kNan}};
  EXPECT_EQ(lr_curve_csv(points), "rate,loss,smoothed\n0.1,1.5,1.25\n1,nan,nan\n");
}

}  // namespace
}  // namespace convoy::cli
