// Sections as they are collected: those that would be empty are left out, and why is said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/report/document.h"

namespace convoy::report {

class SectionList {
 public:
  void add(Section section) { sections_.push_back(std::move(section)); }

  // `reason` completes "Left out: ...": "cost, since no --price was given". Empty when nobody would miss it.
  void add(std::optional<Section> section, const std::string& reason);

  // The sections, the first of which ends with what was left out.
  [[nodiscard]] std::vector<Section> take();

 private:
  std::vector<Section> sections_;
  std::vector<std::string> left_out_;
};

}  // namespace convoy::report
