#include "convoy/report/section_list.h"

#include <fmt/format.h>

#include <utility>

namespace convoy::report {

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
