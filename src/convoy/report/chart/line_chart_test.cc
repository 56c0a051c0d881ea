#include "convoy/report/chart/line_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

using testing::Contains;
using testing::Not;

LineChart chart_of(std::vector<Series> series) { return {.x = {.title = "x"}, .y = {.title = "y"}, .series = series}; }

// The marks of a chart without a legend.
std::vector<XmlElement> marks_of(const LineChart& chart) { return with_class(elements_of(chart), "mark"); }

std::size_t pieces(const XmlElement& path) { return std::ranges::count(path.at("d"), 'L') + 1; }

TEST(LineChart, MarksLieWhereTheirValuesAre) {
  const auto marks = marks_of(chart_of({{.points = {{0, 0}, {5, 50}, {10, 100}}}}));
  ASSERT_EQ(marks.size(), 3U);
  // A value half-way between two others is drawn half-way between them, and larger values are further right and up.
  EXPECT_NEAR(marks[1].moved_x(), (marks[0].moved_x() + marks[2].moved_x()) / 2, 0.11);
  EXPECT_NEAR(marks[1].moved_y(), (marks[0].moved_y() + marks[2].moved_y()) / 2, 0.11);
  EXPECT_LT(marks[0].moved_x() + 400, marks[2].moved_x());
  EXPECT_GT(marks[0].moved_y(), marks[2].moved_y() + 200);
}

TEST(LineChart, MarksLieOnTheGridLineOfTheirValue) {
  const auto elements = elements_of(chart_of({{.points = {{0, 0}, {10, 80}, {20, 100}}}}));
  const auto marks = with_class(elements, "mark");
  // The label "80" stands 4.5 below its line.
  const auto texts = named(elements, "text");
  const auto label = std::ranges::find(texts, "80", &XmlElement::text);
  ASSERT_NE(label, texts.end());
  EXPECT_NEAR(label->number("y") - 4.5, marks[1].moved_y(), 0.11);
}

TEST(LineChart, PowersAreEquallyFarApartOnLogarithmicAxes) {
  LineChart chart = chart_of({{.points = {{1, 1}, {2, 10}, {4, 100}, {8, 1000}}}});
  chart.x.scale = AxisScale::log2;
  chart.y.scale = AxisScale::log10;
  const auto marks = marks_of(chart);
  ASSERT_EQ(marks.size(), 4U);
  for (std::size_t i = 2; i < 4; ++i) {
    EXPECT_NEAR(marks[i].moved_x() - marks[i - 1].moved_x(), marks[1].moved_x() - marks[0].moved_x(), 0.11);
    EXPECT_NEAR(marks[i].moved_y() - marks[i - 1].moved_y(), marks[1].moved_y() - marks[0].moved_y(), 0.11);
  }
}

TEST(LineChart, SeriesDifferByColourAndShape) {
  const auto marks = marks_of(chart_of({{.points = {{1, 1}}}, {.points = {{1, 2}}}, {.points = {{1, 3}}}}));
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_NE(marks[0].at("class"), marks[1].at("class"));
  EXPECT_NE(marks[0].at("d"), marks[1].at("d"));
  EXPECT_NE(marks[1].at("d"), marks[2].at("d"));
}

TEST(LineChart, IntervalsReachFromLowToHigh) {
  const auto elements = elements_of(chart_of({{.points = {{0, 0}, {1, 50, 40, 100}}}}));
  const auto whiskers = with_class(elements, "whisker");
  ASSERT_EQ(whiskers.size(), 1U);
  const auto marks = with_class(elements, "mark");
  const double unit = (marks[0].moved_y() - marks[1].moved_y()) / 50;
  const std::string path = whiskers[0].at("d");
  double x1 = 0;
  double y1 = 0;
  double x2 = 0;
  double y2 = 0;
  ASSERT_EQ(std::sscanf(path.c_str(), "M%lf %lfL%lf %lf", &x1, &y1, &x2, &y2), 4) << path;
  EXPECT_EQ(x1, marks[1].moved_x());
  EXPECT_EQ(x2, x1);
  EXPECT_NEAR(y1, marks[0].moved_y() - 40 * unit, 0.2);
  EXPECT_NEAR(y2, marks[0].moved_y() - 100 * unit, 0.2);
}

TEST(LineChart, DashedSeriesHaveALineAndNoMarks) {
  const auto elements = elements_of(chart_of({{.points = {{1, 1}, {2, 2}}},
                                              {.points = {{1, 1}, {2, 3}}, .dashed = true},
                                              {.points = {{1, 1}, {2, 4}}, .dashed = true, .fit_of = 0}}));
  EXPECT_EQ(with_class(elements, "mark").size(), 2U);
  const auto dashed = with_class(elements, "dashed");
  ASSERT_EQ(dashed.size(), 2U);
  EXPECT_TRUE(dashed[0].has_class("neutral"));
  EXPECT_TRUE(dashed[1].has_class("l0"));
}

TEST(LineChart, DashedSeriesTakeNoColour) {
  const auto marks =
      marks_of(chart_of({{.points = {{1, 1}, {2, 3}}, .dashed = true}, {.points = {{1, 1}}}, {.points = {{1, 2}}}}));
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_TRUE(marks[0].has_class("f0"));
  EXPECT_TRUE(marks[1].has_class("f1"));
}

TEST(LineChart, RefusesAFitOfNothing) {
  const LineChart chart = chart_of({{.points = {{1, 1}}, .dashed = true, .fit_of = 1}});
  EXPECT_THROW(static_cast<void>(draw(chart, "x")), InternalError);
}

TEST(LineChart, HollowPointsAreExplained) {
  LineChart chart = chart_of({{.name = "ring", .points = {{1, 1}, {2, 2, {}, {}, true}}}});
  chart.hollow_means = "more ranks than cores";
  const auto elements = elements_of(chart);
  EXPECT_EQ(with_class(elements, "hollow").size(), 2U) << "the point and the legend";
  EXPECT_THAT(texts_in(elements), Contains("more ranks than cores"));
  chart.series[0].points[1].hollow = false;
  EXPECT_THAT(texts_in(elements_of(chart)), Not(Contains("more ranks than cores")));
}

TEST(LineChart, ManyPointsAreThinnedOut) {
  Series series;
  for (int i = 0; i < 100000; ++i) series.points.push_back({i * 1.0, std::sin(i * 1e-3), -2.0, 2.0});
  const LineChart chart = chart_of({series});
  const auto elements = elements_of(chart);
  const auto lines = with_class(elements, "line");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LE(pieces(lines[0]), 402U);
  EXPECT_GE(pieces(lines[0]), 300U);
  EXPECT_EQ(with_class(elements, "band").size(), 1U);
  EXPECT_EQ(with_class(elements, "whisker").size(), 0U);
  EXPECT_GE(with_class(elements, "mark").size(), 5U);
  EXPECT_LE(with_class(elements, "mark").size(), 10U);
  EXPECT_LT(draw(chart, "x").elements.size(), 40000U);
}

TEST(LineChart, ManyGapsAreThinnedOutToo) {
  Series series;
  for (int i = 0; i < 100000; ++i) series.points.push_back({i * 1.0, i % 2 == 0 ? kNan : 1.0 + i});
  EXPECT_LT(draw(chart_of({series}), "x").elements.size(), 40000U);
}

TEST(LineChart, AMissingValueBreaksTheLineAndIsCounted) {
  const auto elements = elements_of(chart_of({{.points = {{1, 1}, {2, 2}, {3, kNan}, {4, 4}, {5, 5}}}}));
  EXPECT_EQ(with_class(elements, "line").size(), 2U);
  EXPECT_EQ(with_class(elements, "mark").size(), 4U);
  EXPECT_THAT(texts_in(elements), Contains("1 value is left out: it is not a finite number."));
}

TEST(LineChart, OfNothingSaysSo) {
  EXPECT_THAT(texts_in(elements_of(LineChart{})), Contains("no data"));
  EXPECT_THAT(texts_in(elements_of(chart_of({{.points = {{1, kNan}}}}))), Contains("no data"));
  LineChart categorical = chart_of({});
  categorical.x.scale = AxisScale::categorical;
  EXPECT_THAT(texts_in(elements_of(categorical)), Contains("no data"));
}

TEST(LineChart, OnePointIsInTheMiddle) {
  const auto marks = marks_of(chart_of({{.points = {{3, 7}}}}));
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_GT(marks[0].moved_x(), 200);
  EXPECT_LT(marks[0].moved_x(), 600);
}

TEST(LineChart, DrawsAnyMagnitude) {
  for (const double scale : {1e-299, 1e-30, 1e-5, 1.0, 1e12, 1e299}) {
    for (const AxisScale kind : {AxisScale::linear, AxisScale::log2, AxisScale::log10}) {
      LineChart chart = chart_of({{.points = {{scale, scale}, {2 * scale, 3 * scale}, {3 * scale, 3 * scale}}}});
      chart.x.scale = kind;
      chart.y.scale = kind;
      EXPECT_EQ(marks_of(chart).size(), 3U) << scale;
    }
  }
}

TEST(LineChart, NamesMayHoldAnything) {
  LineChart chart = chart_of({{.name = "<a> & \"b\" 'c'", .points = {{1, 1, 0.5, 2}}}});
  chart.x.title = chart.y.title = "</svg><script>";
  const auto elements = elements_of(chart);
  EXPECT_THAT(texts_in(elements), Contains("<a> & \"b\" 'c'"));
  EXPECT_TRUE(named(elements, "script").empty());
}

TEST(LineChart, CategoriesAreNamedInTips) {
  LineChart chart = chart_of({{.name = "time", .points = {{1, 5}}}});
  chart.x = {.title = "algorithm", .scale = AxisScale::categorical, .categories = {"ring", "auto"}};
  const auto elements = elements_of(chart);
  EXPECT_EQ(named(elements, "title").front().text, "time: 5 at auto");
}

}  // namespace
}  // namespace convoy::report
