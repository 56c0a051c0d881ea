// What differs between things that are compared side by side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "convoy/report/document.h"

namespace convoy::report {

// One of them: its name and its settings.
struct Compared {
  std::string name;
  std::map<std::string, std::string> settings;
};

// Whether not all have the same value; one that has none differs from one that has.
[[nodiscard]] bool differs(const std::vector<Compared>& compared, const std::string& key);

// "model: a has resnet20, b has vgg16"
[[nodiscard]] std::string difference_text(const std::vector<Compared>& compared, const std::string& key);

// A row for each setting that differs, a column for each thing; without rows when none does.
[[nodiscard]] Table difference_table(const std::vector<Compared>& compared);

// Warnings for another model, other data and other machines (keys "model", "data", "machine"), which say what cannot be
// compared then.
[[nodiscard]] std::vector<Block> difference_notices(const std::vector<Compared>& compared);

}  // namespace convoy::report
