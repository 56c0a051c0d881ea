#include "convoy/report/render/renderers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "convoy/report/chart/xml.h"
#include "convoy/report/document.h"
#include "convoy/report/render/document_files.h"
#include "convoy/report/render/page_style.h"
#include "convoy/report/table.h"

namespace convoy::report {
namespace {

struct HtmlTable {
  std::string element_id = {};
  std::string label = {};      // shown before the caption: "Table 3"
  std::string file_name = {};  // the name under which the numbers can be downloaded; empty: they cannot
  std::size_t most_rows = static_cast<std::size_t>(-1);  // how many rows are shown; the others are only counted
};

// The class of a row that stands out, for the style sheet.
std::string_view row_class(RowMark mark) { return mark == RowMark::total ? "total" : look_of(mark).meaning; }

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kPlain = "-_.~,:;/()*+=";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", byte);
    }
  }
  return encoded;
}

std::string head(const Table& table, const std::vector<bool>& numbers) {
  std::string cells;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    cells +=
        fmt::format("<th scope=\"col\"{}>{}</th>", numbers[i] ? " class=\"num\"" : "", escape_xml(table.header[i]));
  }
  return fmt::format("<thead><tr>{}</tr></thead>\n", cells);
}

// Whether the cell has several words, which would be broken into one word per line in a narrow table. Names of rows
// stay on one line for longer.
bool is_phrase(const std::string& cell, bool names_row) {
  constexpr std::size_t kLongWord = 14;
  constexpr std::size_t kLongName = 28;
  return cell.size() > (names_row ? kLongName : kLongWord) && cell.find(' ') != std::string::npos;
}

std::string_view class_of(const std::string& cell, bool is_number, bool names_row) {
  return is_number ? " class=\"num\"" : is_phrase(cell, names_row) ? " class=\"phrase\"" : "";
}

std::string body_row(const Row& row, const std::vector<bool>& numbers) {
  const MarkLook look = look_of(row.mark);
  std::string cells;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const std::string_view classes = class_of(row.cells[i], numbers[i], i == 0);
    if (i > 0) {
      cells += fmt::format("<td{}>{}</td>", classes, escape_xml(row.cells[i]));
      continue;
    }
    const std::string sign =
        look.sign.empty()
            ? ""
            : fmt::format("<span class=\"sign\" role=\"img\" aria-label=\"{0}\" title=\"{0}\">{1}</span> ",
                          look.meaning, look.sign);
    cells += fmt::format("<th scope=\"row\"{}>{}{}</th>", classes, sign, escape_xml(row.cells[i]));
  }
  const std::string_view name = row_class(row.mark);
  return fmt::format("<tr{}>{}</tr>\n", name.empty() ? "" : fmt::format(" class=\"{}\"", name), cells);
}

// "<a ...>CSV</a>": the link itself contains the table, so that the page needs no other file.
std::string csv_link(const Table& table, const std::string& file_name) {
  return fmt::format(
      "<a class=\"csv\" download=\"{0}\" aria-label=\"Download {0}\" href=\"data:text/csv;charset=utf-8,{1}\">CSV</a>",
      escape_xml(file_name), percent_encoded(to_csv(table)));
}

std::string caption_of(const Table& table, const HtmlTable& options) {
  std::string caption = options.label.empty() ? "" : fmt::format("<span class=\"label\">{}</span> ", options.label);
  caption += escape_xml(table.caption);
  if (!options.file_name.empty()) caption += ' ' + csv_link(table, options.file_name);
  // The span keeps the caption in sight when the table scrolls sideways.
  return caption.empty() ? "" : fmt::format("<caption><span>{}</span></caption>\n", caption);
}

// In a box of its own, which scrolls if the table is wider than the page. `whole` is the table as its CSV file has it.
std::string table_box(const Table& table, const Table& whole, const HtmlTable& options) {
  const std::vector<bool> numbers = number_columns(table);
  const std::size_t shown = std::min(table.rows.size(), options.most_rows);
  std::string rows;
  for (std::size_t i = 0; i < shown; ++i) rows += body_row(table.rows[i], numbers);
  const std::string id = options.element_id.empty() ? "" : fmt::format(" id=\"{}\"", options.element_id);
  const std::string_view dense = table.header.size() > kMostColumns ? " class=\"dense\"" : "";
  const std::string name = escape_xml(table.caption.empty() ? "Table" : table.caption);
  std::string html = fmt::format(
      "<div class=\"table-box\" role=\"region\" aria-label=\"{}\" "
      "tabindex=\"0\">\n<table{}{}>\n{}{}<tbody>\n{}</tbody>\n"
      "</table>\n</div>\n",
      name, id, dense, caption_of(whole, options), head(table, numbers), rows);
  if (const std::string key = key_of_marks(table, shown); !key.empty()) {
    html += fmt::format("<p class=\"more\">{}</p>\n", key);
  }
  if (shown < table.rows.size()) {
    html += fmt::format("<p class=\"more\">The first {} of {} rows; the file has all.</p>\n", shown, table.rows.size());
  }
  return html;
}

std::string fold(const std::string& summary, const std::string& content) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", escape_xml(summary), content);
}

std::string html_table(const Table& whole, const HtmlTable& options) {
  const ShownTable shown = shown_table(whole);
  std::string html = table_box(shown.main, whole, options);
  if (shown.details) html += fold("More columns", table_box(*shown.details, {}, {.most_rows = options.most_rows}));
  return whole.folded ? fold(whole.caption, html) : html;
}

// The numbers of a figure are for looking up, and its file has all of them.
constexpr std::size_t kMostDataRows = 200;

std::string html_text(const std::string& text) {
  std::string html;
  for (const TextRun& run : text_runs(text)) {
    html += run.is_code ? fmt::format("<code>{}</code>", escape_xml(run.text)) : escape_xml(run.text);
  }
  return html;
}

// Converts blocks to HTML one after the other and numbers tables and figures. Ids of the document have no capitals,
// while anchors made here begin with one, so that they never collide.
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
    return fold("Numbers", html_table(figure.data, {.most_rows = kMostDataRows}));
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
