#include "convoy/report/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "convoy/base/check.h"

namespace convoy::report {
namespace {

// Ids become file names, anchors and parts of names inside pictures, so only some characters are allowed.
void check_id(const std::string& id) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  if (id.empty() || id.find_first_not_of(kAllowed) != std::string::npos) {
    throw InternalError(fmt::format("'{}' is not an id for a part of a report: a-z, 0-9, '-' and '_'", id));
  }
}

class Checker {
 public:
  void section(const Section& section) {
    check_id(section.id);
    if (!sections_.insert(section.id).second) throw InternalError("two sections of a report are " + section.id);
  }

  void operator()(const Table& table) {
    name(table.id);
    shape(table);
  }

  void operator()(const Figure& figure) {
    name(figure.id);
    shape(figure.data);
  }

  template <typename Other>
  void operator()(const Other& /*block*/) {}

 private:
  // Tables and figures must not have the same id, because each has a file with its numbers.
  void name(const std::string& id) {
    check_id(id);
    if (!names_.insert(id).second) throw InternalError("two tables or figures of a report are " + id);
  }

  static void shape(const Table& table) {
    for (const Row& row : table.rows) CONVOY_CHECK_EQ(row.cells.size(), table.header.size());
  }

  std::set<std::string> sections_;
  std::set<std::string> names_;
};

}  // namespace

void check_document(const Document& document) {
  Checker checker;
  for (const Section& section : document.sections) {
    checker.section(section);
    for (const Block& block : section.blocks) std::visit(checker, block);
  }
}

std::vector<TextRun> text_runs(std::string_view text) {
  std::vector<TextRun> runs;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) {
      runs.push_back({std::string(text), false});
      break;
    }
    if (open > 0) runs.push_back({std::string(text.substr(0, open)), false});
    runs.push_back({std::string(text.substr(open + 1, close - open - 1)), true});
    text.remove_prefix(close + 1);
  }
  return runs;
}

void SectionList::add(std::optional<Section> section, const std::string& reason) {
  if (section) {
    sections_.push_back(std::move(*section));
  } else if (!reason.empty()) {
    left_out_.push_back(reason);
  }
}

std::vector<Section> SectionList::take() {
  if (!sections_.empty() && !left_out_.empty()) {
    sections_.front().blocks.emplace_back(Paragraph{fmt::format("Left out: {}.", fmt::join(left_out_, "; "))});
  }
  return std::move(sections_);
}

}  // namespace convoy::report
