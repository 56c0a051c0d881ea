#include "convoy/report/figure.h"

#include <fmt/format.h>

#include "convoy/report/chart/chart_style.h"
#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"
#include "convoy/report/chart/xml.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

// What a chart is, for those who cannot see it.
std::string kind_of(const LineChart& chart) {
  return fmt::format("Line chart of {} over {}, {} lines.", chart.y.title, chart.x.title, chart.series.size());
}

std::string kind_of(const BarChart& chart) {
  return fmt::format("Bar chart of {} by {}, {} groups of {} bars.", chart.value_title, chart.group_title,
                     chart.groups.size(), chart.series.size());
}

std::string kind_of(const RankChart& chart) {
  return fmt::format("{} by {}, the best first.", chart.bars.size() == 1 ? "One bar" : "Ranked bars",
                     chart.value_title);
}

std::string kind_of(const StackedBarChart& chart) {
  return fmt::format("Stacked bars of {} by {}, {} parts.", chart.share_title, chart.stack_title, chart.parts.size());
}

std::string kind_of(const HeatMap& map) {
  return fmt::format("Heat map of {} by {} and {}.", map.value_title, map.row_title, map.column_title);
}

std::string element_id(const Figure& figure) { return "Chart-" + figure.id; }

Picture picture_of(const Figure& figure) {
  return std::visit([&](const auto& chart) { return draw(chart, element_id(figure)); }, figure.chart);
}

// The opening tag with its size, and what screen readers say.
std::string opening(const Figure& figure, double width, double height, std::string_view more) {
  const std::string kind = std::visit([](const auto& chart) { return kind_of(chart); }, figure.chart);
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\"{} role=\"img\" aria-labelledby=\"{}-title {}-desc\">\n"
      "<title id=\"{}-title\">{}</title>\n<desc id=\"{}-desc\">{}</desc>\n",
      px(width), px(height), more, element_id(figure), element_id(figure), element_id(figure), escape_xml(figure.title),
      element_id(figure), escape_xml(kind));
}

}  // namespace

std::string to_inline_svg(const Figure& figure) {
  const Picture picture = picture_of(figure);
  return opening(figure, picture.width, picture.height, "") + picture.elements + "</svg>\n";
}

std::string to_svg_file(const Figure& figure) {
  constexpr double kPadding = 18;
  constexpr double kTitleHeight = 34;
  constexpr double kLineHeight = 18;
  const Picture picture = picture_of(figure);
  std::string body = svg_text(kPadding, kPadding + 16, shortened(figure.title, picture.width * 0.8),
                              {.classes = "title", .full_text = figure.title});
  double y = kPadding + kTitleHeight;
  body += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", px(kPadding), px(y), picture.elements);
  y += picture.height + 4;
  for (const std::string& line : wrapped(without_code_marks(figure.definition), picture.width)) {
    y += kLineHeight;
    body += svg_text(kPadding, y, line, {.classes = "axis-title"});
  }
  const double width = picture.width + 2 * kPadding;
  const double height = y + kPadding;
  const std::string size =
      fmt::format(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\"", px(width), px(height));
  return opening(figure, width, height, size) + fmt::format("<style>{}</style>\n", standalone_chart_style()) +
         svg_rect({.width = width, .height = height}, "background") + body + "</svg>\n";
}

}  // namespace convoy::report
