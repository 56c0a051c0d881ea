#include "convoy/report/render/html.h"

#include <fmt/format.h>

#include "convoy/report/chart/xml.h"
#include "convoy/report/render/document_files.h"
#include "convoy/report/render/html_table.h"
#include "convoy/report/render/inline_text.h"
#include "convoy/report/render/page_style.h"

namespace convoy::report {
namespace {

// A figure's numbers are there to be looked up, and its file has them all.
constexpr std::size_t kMostDataRows = 200;

std::string html_text(const std::string& text) {
  std::string html;
  for (const TextRun& run : text_runs(text)) {
    html += run.is_code ? fmt::format("<code>{}</code>", escape_xml(run.text)) : escape_xml(run.text);
  }
  return html;
}

// Turns blocks into HTML one after the other, numbering tables and figures as they come. Ids of the document have no
// capitals; anchors that are made here begin with one, so that they never meet.
class HtmlWriter {
 public:
  std::string operator()(const Paragraph& paragraph) { return fmt::format("<p>{}</p>\n", html_text(paragraph.text)); }

  std::string operator()(const Highlights& highlights) {
    std::string entries;
    for (const auto& entry : highlights.entries) {
      entries +=
          fmt::format("<div><dt>{}</dt><dd class=\"value\">{}</dd>", escape_xml(entry.label), escape_xml(entry.value));
      if (!entry.detail.empty()) entries += fmt::format("<dd class=\"detail\">{}</dd>", escape_xml(entry.detail));
      entries += "</div>\n";
    }
    return fmt::format("<dl class=\"highlights\">\n{}</dl>\n", entries);
  }

  std::string operator()(const Table& table) {
    return html_table(table, {.element_id = "Table-" + table.id,
                              .label = fmt::format("Table {}.", ++tables_),
                              .file_name = table.id + ".csv"});
  }

  std::string operator()(const Figure& figure) {
    const std::string title = escape_xml(figure.title);
    std::string html = fmt::format(
        "<figure id=\"Figure-{}\">\n<figcaption><span class=\"label\">Figure {}.</span> {}</figcaption>\n"
        "<div class=\"chart-box\" role=\"group\" aria-label=\"{}\" tabindex=\"0\">\n{}</div>\n",
        figure.id, ++figures_, title, title, to_inline_svg(figure));
    const std::string link = figure.data.rows.empty() ? "" : csv_link(figure.data, figure.id + ".csv");
    html += fmt::format("<p class=\"definition\">{} {}</p>\n", html_text(figure.definition), link);
    return html + data_of(figure) + "</figure>\n";
  }

  std::string operator()(const Listing& listing) {
    const std::string caption = listing.caption.empty() ? "" : fmt::format("<p>{}</p>\n", html_text(listing.caption));
    return fmt::format("<div class=\"listing\">\n{}<pre tabindex=\"0\"><code>{}</code></pre>\n</div>\n", caption,
                       escape_xml(listing.text));
  }

  std::string operator()(const Notice& notice) {
    const bool warning = notice.kind == Notice::Kind::warning;
    const std::string title =
        notice.title.empty() ? "" : fmt::format("<p class=\"notice-title\">{}</p>\n", escape_xml(notice.title));
    return fmt::format("<aside class=\"notice{}\" aria-label=\"{}\">\n{}<p>{}</p>\n</aside>\n",
                       warning ? " warning" : "", warning ? "Warning" : "Note", title, html_text(notice.text));
  }

  std::string operator()(const Definitions& definitions) {
    std::string entries;
    for (const auto& entry : definitions.entries) {
      entries += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_xml(entry.term), html_text(entry.text));
    }
    return fmt::format("<dl class=\"definitions\">\n{}</dl>\n", entries);
  }

 private:
  static std::string data_of(const Figure& figure) {
    if (figure.data.rows.empty()) return "";
    return fmt::format("<details>\n<summary>Numbers</summary>\n{}</details>\n",
                       html_table(figure.data, {.most_rows = kMostDataRows}));
  }

  int tables_ = 0;
  int figures_ = 0;
};

std::string section_html(const Section& section, HtmlWriter& writer) {
  std::string blocks;
  for (const Block& block : section.blocks) blocks += std::visit(writer, block);
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"Heading-{0}\">\n<h2 id=\"Heading-{0}\">{1}</h2>\n{2}</section>\n",
      section.id, escape_xml(section.title), blocks);
}

std::string navigation(const std::vector<Section>& sections) {
  std::string items;
  for (const Section& section : sections) {
    items += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, escape_xml(section.title));
  }
  return fmt::format("<nav aria-label=\"Sections\">\n<ol>\n{}</ol>\n</nav>\n", items);
}

std::string head(const std::string& title) {
  return fmt::format(
      "<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta {}>\n<title>{}</title>\n<style>\n{}</style>\n</head>\n",
      kGeneratorMark, escape_xml(title), page_style());
}

}  // namespace

std::string to_html(const Document& document) {
  check_document(document);
  HtmlWriter writer;
  std::string sections;
  for (const Section& section : document.sections) sections += section_html(section, writer);
  const std::string subtitle =
      document.subtitle.empty() ? "" : fmt::format("<p class=\"subtitle\">{}</p>\n", escape_xml(document.subtitle));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n{}<body>\n<a class=\"skip\" href=\"#Main\">Skip to the content</a>\n"
      "<header class=\"page-header\">\n<h1>{}</h1>\n{}</header>\n<div class=\"layout\">\n{}"
      "<main id=\"Main\" tabindex=\"-1\">\n{}</main>\n</div>\n</body>\n</html>\n",
      head(document.title), escape_xml(document.title), subtitle, navigation(document.sections), sections);
}

}  // namespace convoy::report
