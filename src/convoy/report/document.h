// A report as data: sections of blocks. Renderers (renderers.h, document_files.h) are functions of it.
//
//   Document document{.title = "Strong scaling of ResNet-20"};
//   document.sections.push_back({.id = "throughput", .title = "Throughput", .blocks = {Paragraph{"..."}, figure}});
//   const std::string page = to_html(document);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "convoy/report/figure.h"
#include "convoy/report/table.h"

namespace convoy::report {

// In the texts of paragraphs, notices, definitions and figures, `...` is shown as code. There is no other mark-up.
struct Paragraph {
  std::string text;
};

// Commands or other text that is shown literally.
struct Listing {
  std::string text;
  std::string caption = {};
};

struct Notice {
  enum class Kind : std::uint8_t { note, warning };
  Kind kind = Kind::note;
  std::string title;  // "Oversubscribed"
  std::string text;
};

struct Definitions {
  struct Entry {
    std::string term;
    std::string text;
  };
  std::vector<Entry> entries;
};

// The few numbers that readers look for first, shown large.
struct Highlights {
  struct Entry {
    std::string label;        // "best throughput"
    std::string value;        // "1,234 images/s"
    std::string detail = {};  // "8 workers, 95 % interval 1,210 to 1,258"
  };
  std::vector<Entry> entries;
};

using Block = std::variant<Paragraph, Highlights, Table, Figure, Listing, Notice, Definitions>;

struct Section {
  std::string id;  // a-z, 0-9, '-' and '_', unique among sections
  std::string title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title;
  std::string subtitle = {};
  std::vector<Section> sections = {};
};

// Throws InternalError when an id is malformed or used twice, or a row has not as many cells as the header. All
// renderers call it.
void check_document(const Document& document);

// A part of a text whose only mark-up is `code`.
struct TextRun {
  std::string text;
  bool is_code = false;
};

// Divides text at backticks. A backtick without a partner is an ordinary character.
[[nodiscard]] std::vector<TextRun> text_runs(std::string_view text);

// Collects sections. Those that would be empty are left out, and the reasons are given in the text.
class SectionList {
 public:
  void add(Section section) { sections_.push_back(std::move(section)); }

  // `reason` completes the sentence "Left out: ...": "cost, since no --price was given". Empty if nobody would miss the
  // section.
  void add(std::optional<Section> section, const std::string& reason);

  // The sections; the first one ends with what was left out.
  [[nodiscard]] std::vector<Section> take();

 private:
  std::vector<Section> sections_;
  std::vector<std::string> left_out_;
};

}  // namespace convoy::report
