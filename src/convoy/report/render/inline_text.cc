#include "convoy/report/render/inline_text.h"

namespace convoy::report {

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

}  // namespace convoy::report
