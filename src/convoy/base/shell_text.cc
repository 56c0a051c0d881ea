#include "convoy/base/shell_text.h"

#include <string_view>

namespace convoy {
namespace {

constexpr std::size_t kLongest = 96;

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

}  // namespace

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

std::string shell_listing(const std::vector<std::string>& command) {
  std::string text;
  std::size_t line = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string word = quoted(command[i]);
    const bool begins_flag = command[i].starts_with("--");
    // A flag and its value stay on one line.
    const bool is_value = i > 0 && command[i - 1].starts_with("--") && !begins_flag;
    std::size_t needed = word.size() + 1;
    if (begins_flag && i + 1 < command.size()) needed += quoted(command[i + 1]).size() + 1;
    if (i > 0 && !is_value && line + needed > kLongest) {
      text += " \\\n  ";
      line = 2;
    } else if (i > 0) {
      text += ' ';
      ++line;
    }
    text += word;
    line += word.size();
  }
  return text;
}

}  // namespace convoy
