#include "convoy/report/words.h"

#include <fmt/format.h>

#include <cctype>

#include "convoy/base/number_text.h"

namespace convoy::report {

std::string count_text(std::int64_t count, const std::string& things) {
  return fmt::format("{} {}", count, count == 1 ? things.substr(0, things.size() - 1) : things);
}

std::string short_text(double number) {
  std::string text = significant_text(number, 3);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string without_code_marks(std::string text) {
  std::erase(text, '`');
  return text;
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace convoy::report
