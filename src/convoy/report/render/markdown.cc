#include "convoy/report/render/renderers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "convoy/report/document.h"
#include "convoy/report/render/document_files.h"

namespace convoy::report {
namespace {

// The length of the longest run of backticks in a text.
std::size_t longest_fence(std::string_view text) {
  std::size_t longest = 0;
  std::size_t length = 0;
  for (const char c : text) {
    length = c == '`' ? length + 1 : 0;
    longest = std::max(longest, length);
  }
  return longest;
}

// Escapes the text so that no character has a meaning in Markdown or HTML, and puts it on one line.
std::string plain(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_[]<>|~#";
  std::string markdown;
  for (const char c : text) {
    if (c == '&') {
      markdown += "&amp;";
      continue;
    }
    if (kSpecial.find(c) != std::string_view::npos) markdown += '\\';
    markdown += c == '\n' || c == '\r' ? ' ' : c;
  }
  return markdown;
}

std::string running_text(const std::string& text) {
  std::string markdown;
  for (const TextRun& run : text_runs(text)) {
    markdown += run.is_code ? fmt::format("`{}`", run.text) : plain(run.text);
  }
  // A sentence must not become a list because of how it begins.
  const std::size_t start = markdown.find_first_not_of("0123456789");
  const bool like_a_list =
      start != std::string::npos &&
      (start == 0 ? markdown[0] == '-' || markdown[0] == '+' : markdown[start] == '.' || markdown[start] == ')');
  if (like_a_list) markdown.insert(start, 1, '\\');
  return markdown;
}

std::string table_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", plain(cell));
  return line + '\n';
}

std::string rows_text(const Table& table, const std::string& id, std::size_t most_rows) {
  std::string text = table_line(table.header) + '|';
  for (const bool is_number : number_columns(table)) text += is_number ? "---:|" : "---|";
  text += '\n';
  const std::size_t shown = std::min(table.rows.size(), most_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> cells = table.rows[i].cells;
    if (const MarkLook look = look_of(table.rows[i].mark); !look.sign.empty()) {
      cells.front() = fmt::format("{} {}", look.sign, cells.front());
    }
    text += table_line(cells);
  }
  text += '\n';
  if (const std::string key = key_of_marks(table, shown); !key.empty()) text += key + "\n\n";
  if (shown < table.rows.size()) {
    text +=
        fmt::format("The first {0} of {1} rows; [{2}]({2}) has all.\n\n", shown, table.rows.size(), csv_file_name(id));
  }
  return text;
}

// GitHub and most viewers fold it; others show all of it.
std::string fold_text(std::string_view summary, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>\n\n{}</details>\n\n", plain(summary), content);
}

std::string table_text(const Table& table, const std::string& id, std::size_t most_rows) {
  if (table.header.empty()) return "";
  const ShownTable shown = shown_table(table);
  std::string text = rows_text(shown.main, id, most_rows);
  if (shown.details) text += fold_text("More columns", rows_text(*shown.details, id, most_rows));
  return text;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(std::size_t most_rows) : most_rows_(most_rows) {}

  std::string operator()(const Paragraph& paragraph) { return running_text(paragraph.text) + "\n\n"; }

  std::string operator()(const Highlights& highlights) {
    std::string text;
    for (const auto& entry : highlights.entries) {
      text += fmt::format("- {}: **{}**{}\n", plain(entry.label), plain(entry.value),
                          entry.detail.empty() ? "" : fmt::format(" ({})", plain(entry.detail)));
    }
    return text + '\n';
  }

  std::string operator()(const Table& table) {
    const std::string text =
        fmt::format("**Table {}.** {}\n\n{}", ++tables_, plain(table.caption), table_text(table, table.id, most_rows_));
    return table.folded ? fold_text(table.caption, text) : text;
  }

  std::string operator()(const Figure& figure) {
    const std::string title = plain(figure.title);
    std::string text =
        fmt::format("**Figure {}.** {}\n\n![{}]({})\n\n", ++figures_, title, title, svg_file_name(figure.id));
    if (!figure.definition.empty()) text += running_text(figure.definition) + "\n\n";
    return text + fold_text("Numbers of the figure", table_text(figure.data, figure.id, most_rows_));
  }

  std::string operator()(const Listing& listing) {
    const std::string fence(std::max<std::size_t>(3, longest_fence(listing.text) + 1), '`');
    const std::string caption = listing.caption.empty() ? "" : running_text(listing.caption) + "\n\n";
    const std::string_view end = listing.text.ends_with('\n') ? "" : "\n";
    return fmt::format("{}{}\n{}{}{}\n\n", caption, fence, listing.text, end, fence);
  }

  std::string operator()(const Notice& notice) {
    const std::string_view kind = notice.kind == Notice::Kind::warning ? "WARNING" : "NOTE";
    const std::string title = notice.title.empty() ? "" : fmt::format("> **{}**\n>\n", plain(notice.title));
    return fmt::format("> [!{}]\n{}> {}\n\n", kind, title, running_text(notice.text));
  }

  std::string operator()(const Definitions& definitions) {
    std::string text;
    for (const auto& entry : definitions.entries) {
      text += fmt::format("- **{}**: {}\n", plain(entry.term), running_text(entry.text));
    }
    return text + '\n';
  }

 private:
  std::size_t most_rows_;
  int tables_ = 0;
  int figures_ = 0;
};

}  // namespace

std::string to_markdown(const Document& document, std::size_t most_rows) {
  check_document(document);
  std::string text = fmt::format("<!-- {} -->\n# {}\n\n", kGeneratorMark, plain(document.title));
  if (!document.subtitle.empty()) text += running_text(document.subtitle) + "\n\n";
  MarkdownWriter writer(most_rows);
  for (const Section& section : document.sections) {
    text += fmt::format("## {}\n\n", plain(section.title));
    for (const Block& block : section.blocks) text += std::visit(writer, block);
  }
  // The file ends with exactly one line break.
  text.erase(text.find_last_not_of('\n') + 1);
  return text + '\n';
}

}  // namespace convoy::report
