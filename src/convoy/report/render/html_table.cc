#include "convoy/report/render/html_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "convoy/report/chart/xml.h"

namespace convoy::report {
namespace {

struct MarkLook {
  std::string_view name;  // class and, for screen readers, meaning
  std::string_view sign;
};

MarkLook look_of(RowMark mark) {
  switch (mark) {
    case RowMark::best:
      return {"best", "★"};
    case RowMark::doubtful:
      return {"doubtful", "○"};
    case RowMark::failed:
      return {"failed", "✕"};
    case RowMark::total:
      return {"total", ""};
    case RowMark::none:
      break;
  }
  return {};
}

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

std::string body_row(const Row& row, const std::vector<bool>& numbers) {
  const MarkLook look = look_of(row.mark);
  std::string cells;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const std::string_view classes = numbers[i] ? " class=\"num\"" : "";
    if (i > 0) {
      cells += fmt::format("<td{}>{}</td>", classes, escape_xml(row.cells[i]));
      continue;
    }
    const std::string sign =
        look.sign.empty()
            ? ""
            : fmt::format("<span class=\"sign\" role=\"img\" aria-label=\"{}\">{}</span> ", look.name, look.sign);
    cells += fmt::format("<th scope=\"row\"{}>{}{}</th>", classes, sign, escape_xml(row.cells[i]));
  }
  return fmt::format("<tr{}>{}</tr>\n", look.name.empty() ? "" : fmt::format(" class=\"{}\"", look.name), cells);
}

std::string caption_of(const Table& table, const HtmlTable& options) {
  std::string caption = options.label.empty() ? "" : fmt::format("<span class=\"label\">{}</span> ", options.label);
  caption += escape_xml(table.caption);
  if (!options.file_name.empty()) caption += ' ' + csv_link(table, options.file_name);
  return caption.empty() ? "" : fmt::format("<caption>{}</caption>\n", caption);
}

}  // namespace

std::string csv_link(const Table& table, const std::string& file_name) {
  return fmt::format(
      "<a class=\"csv\" download=\"{0}\" aria-label=\"Download {0}\" href=\"data:text/csv;charset=utf-8,{1}\">CSV</a>",
      escape_xml(file_name), percent_encoded(to_csv(table)));
}

std::string html_table(const Table& table, const HtmlTable& options) {
  const std::vector<bool> numbers = number_columns(table);
  const std::size_t shown = std::min(table.rows.size(), options.most_rows);
  std::string rows;
  for (std::size_t i = 0; i < shown; ++i) rows += body_row(table.rows[i], numbers);
  const std::string id = options.element_id.empty() ? "" : fmt::format(" id=\"{}\"", options.element_id);
  const std::string name = escape_xml(table.caption.empty() ? "Table" : table.caption);
  std::string html = fmt::format(
      "<div class=\"table-box\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">\n<table{}>\n{}{}<tbody>\n{}</tbody>\n"
      "</table>\n</div>\n",
      name, id, caption_of(table, options), head(table, numbers), rows);
  if (shown < table.rows.size()) {
    html += fmt::format("<p class=\"more\">The first {} of {} rows; the file has all.</p>\n", shown, table.rows.size());
  }
  return html;
}

}  // namespace convoy::report
