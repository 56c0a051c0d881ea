#include "convoy/report/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "convoy/report/chart/xml_reader_test.h"
#include "convoy/report/sample_figures_test.h"

namespace convoy::report {
namespace {

std::string golden(const std::string& id) {
  const auto path = std::filesystem::path(CONVOY_GOLDEN_FOLDER) / (id + ".svg");
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// A change of these files is a change of how reports look: look at them, then keep them.
TEST(SvgFile, IsTheOneThatWasLookedAt) {
  for (const Figure& figure : sample_figures()) {
    const std::string svg = to_svg_file(figure);
    if (svg == golden(figure.id)) continue;
    const std::string path = testing::TempDir() + figure.id + ".svg";
    std::ofstream(path) << svg;
    ADD_FAILURE() << "golden/" << figure.id << ".svg differs from " << path;
  }
}

TEST(SvgFile, IsWellFormedAndNeedsNothingElse) {
  for (const Figure& figure : sample_figures()) {
    const std::string svg = to_svg_file(figure);
    const auto elements = read_xml(svg);
    EXPECT_EQ(elements.front().at("xmlns"), "http://www.w3.org/2000/svg");
    EXPECT_EQ(svg.find("var("), std::string::npos) << "not all viewers know custom properties";
    EXPECT_EQ(svg.find("href"), std::string::npos);
    EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  }
}

TEST(SvgFile, HoldsTitleAndDefinition) {
  const auto texts = texts_in(read_xml(to_svg_file(sample_line_figure())));
  EXPECT_THAT(texts, testing::Contains("Throughput & speed"));
  EXPECT_THAT(texts, testing::Contains("Mean of 5 repeats of convoy train; bars are 95 % intervals."));
}

TEST(InlineSvg, IsNamedForScreenReaders) {
  for (const Figure& figure : sample_figures()) {
    const auto elements = read_xml(to_inline_svg(figure));
    EXPECT_EQ(elements[0].name, "svg");
    EXPECT_EQ(elements[0].at("role"), "img");
    EXPECT_EQ(elements[0].at("aria-labelledby"), elements[1].at("id") + " " + elements[2].at("id"));
    EXPECT_EQ(elements[1].name, "title");
    EXPECT_EQ(elements[1].text, figure.title);
    EXPECT_EQ(elements[2].name, "desc");
    EXPECT_FALSE(elements[2].text.empty());
  }
}

TEST(InlineSvg, ScalesWithItsBox) {
  const auto svg = read_xml(to_inline_svg(sample_bar_figure())).front();
  EXPECT_TRUE(svg.at("viewBox").starts_with("0 0 720 "));
  EXPECT_EQ(svg.at("width"), "");
}

TEST(InlineSvg, TextStaysInsideOfThePicture) {
  for (const Figure& figure : sample_figures()) {
    const auto elements = read_xml(to_inline_svg(figure));
    const double height = std::stod(elements[0].at("viewBox").substr(8));
    EXPECT_FALSE(named(elements, "text").empty());
    for (const XmlElement& text : named(elements, "text")) {
      EXPECT_LE(text.number("x"), 720);
      EXPECT_LE(text.number("y"), height);
    }
  }
}

}  // namespace
}  // namespace convoy::report
