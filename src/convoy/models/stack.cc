#include "convoy/models/stack.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/graph/analysis.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

// Larger receptive fields are typing errors.
constexpr int kLargestField = 40'000;

std::vector<op::Convolution> windows_in(const std::string& text) {
  static const std::regex pattern(R"(\s*(\d{1,5})(?:x(\d{1,5}))?(?:/(\d{1,5}))?(?:d(\d{1,5}))?\s*)");
  std::vector<op::Convolution> windows;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, ',');) {
    std::smatch match;
    if (part.size() > 40 || !std::regex_match(part, match, pattern)) {
      throw UserError("--stack takes windows such as 5x5,3x3/2,3x3d2 (stride after /, dilation after d); got '{}'",
                      part);
    }
    const auto number = [&](int group, int otherwise) {
      return match[group].matched ? std::stoi(match[group].str()) : otherwise;
    };
    const int height = number(1, 1);
    windows.push_back({.out = 1,
                       .kernel = {height, number(2, height)},
                       .stride = number(3, 1),
                       .dilation = number(4, 1),
                       .bias = false});
  }
  if (windows.empty()) throw UserError("--stack names no window; give some, such as 5x5,5x5,5x5");
  return windows;
}

Graph stack_on(const Shape& shape, const std::vector<op::Convolution>& windows) {
  Graph graph;
  Value x = input(graph, shape);
  for (op::Convolution window : windows) {
    window.out = static_cast<int>(shape[0]);
    x = conv(x, window);
  }
  return graph;
}

}  // namespace

Graph stack_of_windows(const std::string& text, const Shape& input) {
  const std::vector<op::Convolution> windows = windows_in(text);
  if (input.rank() > 0) return stack_on(input, windows);
  const LayerAnalysis last = analyse(stack_on({1, kLargestField, kLargestField}, windows)).layers.back();
  return stack_on({1, last.receptive_height, last.receptive_width}, windows);
}

}  // namespace convoy
