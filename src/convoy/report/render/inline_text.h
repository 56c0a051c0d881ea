// Running text whose only mark-up is `code`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convoy::report {

struct TextRun {
  std::string text;
  bool is_code = false;
};

// Cut at backticks. One without a partner is an ordinary character.
[[nodiscard]] std::vector<TextRun> text_runs(std::string_view text);

}  // namespace convoy::report
