#include "convoy/base/nearest.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

namespace convoy {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Only three rows of the dynamic programming table are kept: a swap looks two rows back.
  std::vector<int> before(b.size() + 1);
  std::vector<int> last(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = static_cast<int>(j);
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates) {
  const std::string wanted = lower_case(word);
  const std::string* nearest = nullptr;
  int least = std::numeric_limits<int>::max();
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(wanted, lower_case(candidate));
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  if (nearest == nullptr || least > std::max(2, static_cast<int>(nearest->size()) / 3)) {
    return std::nullopt;
  }
  return *nearest;
}

}  // namespace convoy
