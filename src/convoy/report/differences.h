// The differences between things that are compared side by side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "convoy/report/document.h"

namespace convoy::report {

// One of the compared things: its name and its settings.
struct Compared {
  std::string name;
  std::map<std::string, std::string> settings;
};

// Whether they do not all have the same value; having no value differs from having one.
[[nodiscard]] bool differs(const std::vector<Compared>& compared, const std::string& key);

// "model: a has resnet20, b has vgg16"
[[nodiscard]] std::string difference_text(const std::vector<Compared>& compared, const std::string& key);

// One row for each setting that differs, one column for each thing; without rows when nothing differs.
[[nodiscard]] Table difference_table(const std::vector<Compared>& compared);

// Warnings about different models, data and machines (keys "model", "data", "machine"), which say what cannot be
// compared.
[[nodiscard]] std::vector<Block> difference_notices(const std::vector<Compared>& compared);

}  // namespace convoy::report
