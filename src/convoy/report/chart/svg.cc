#include "convoy/report/chart/svg.h"

#include <fmt/format.h>

#include "convoy/report/chart/xml.h"

namespace convoy::report {
namespace {

std::string with_tip(std::string_view element, std::string_view name, std::string_view tip) {
  if (tip.empty()) return fmt::format("<{}/>\n", element);
  return fmt::format("<{}><title>{}</title></{}>\n", element, escape_xml(tip), name);
}

std::string class_attribute(std::string_view classes) {
  return classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
}

}  // namespace

std::string px(double length) {
  std::string text = fmt::format("{:.1f}", length);
  if (text.ends_with(".0")) text.erase(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string svg_text(double x, double y, std::string_view text, const TextStyle& style) {
  std::string attributes = fmt::format("x=\"{}\" y=\"{}\"", px(x), px(y));
  if (style.anchor != Anchor::start) {
    attributes += style.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  }
  if (style.turned_degrees != 0) {
    attributes += fmt::format(" transform=\"rotate({} {} {})\"", px(style.turned_degrees), px(x), px(y));
  }
  const bool cut = !style.full_text.empty() && style.full_text != text;
  const std::string tip = cut ? fmt::format("<title>{}</title>", escape_xml(style.full_text)) : "";
  return fmt::format("<text {}{}>{}{}</text>\n", attributes, class_attribute(style.classes), tip, escape_xml(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view classes) {
  return fmt::format("<path d=\"M{} {}L{} {}\"{}/>\n", px(x1), px(y1), px(x2), px(y2), class_attribute(classes));
}

std::string svg_whisker(double x1, double y1, double x2, double y2, std::string_view classes) {
  constexpr double kCap = 4;
  const bool upright = x1 == x2;
  const double dx = upright ? kCap : 0;
  const double dy = upright ? 0 : kCap;
  const auto stroke = [](double xa, double ya, double xb, double yb) {
    return fmt::format("M{} {}L{} {}", px(xa), px(ya), px(xb), px(yb));
  };
  return fmt::format("<path d=\"{}{}{}\" class=\"whisker {}\"/>\n", stroke(x1, y1, x2, y2),
                     stroke(x1 - dx, y1 - dy, x1 + dx, y1 + dy), stroke(x2 - dx, y2 - dy, x2 + dx, y2 + dy), classes);
}

std::string svg_rect(const Box& box, std::string_view paint, std::string_view tip) {
  const std::string colour = paint.starts_with("url(") ? fmt::format(" fill=\"{}\"", paint) : class_attribute(paint);
  return with_tip(fmt::format("rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", px(box.x), px(box.y),
                              px(box.width), px(box.height), colour),
                  "rect", tip);
}

std::string svg_path_at(double x, double y, std::string_view path, std::string_view classes, std::string_view tip) {
  return with_tip(
      fmt::format("path transform=\"translate({} {})\" d=\"{}\"{}", px(x), px(y), path, class_attribute(classes)),
      "path", tip);
}

}  // namespace convoy::report
