#include "convoy/base/toml_check.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "convoy/base/error.h"

namespace convoy {
namespace {

class TomlScanner {
 public:
  explicit TomlScanner(std::string_view text) : rest_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  // The first line where `is_wrong` is true of this.
  template <typename Wrong>
  std::optional<int> find(Wrong is_wrong) {
    while (!rest_.empty()) {
      if (begins_string()) {
        skip_string();
      } else if (rest_.front() == '#') {
        skip(std::min(rest_.find('\n'), rest_.size()));
      } else if (take(rest_.front()); is_wrong(*this)) {
        return line_;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_deep() const { return dots_ >= kDeepestToml || std::ssize(open_) > kDeepestToml; }
  [[nodiscard]] bool is_stray() const { return is_stray_; }
  [[nodiscard]] bool is_foreign() const { return is_foreign_; }

 private:
  // Right after a letter or a digit a quote begins nothing: the text is no TOML, and the parser goes on letter by
  // letter.
  [[nodiscard]] bool begins_string() const {
    const bool follows_letter = std::isalnum(static_cast<unsigned char>(last_)) != 0 || last_ == '_' || last_ == '-' ||
                                last_ == '+' || last_ == ':';
    return (rest_.front() == '"' || rest_.front() == '\'') && !follows_letter;
  }

  void skip(std::size_t bytes) {
    line_ += static_cast<int>(std::ranges::count(rest_.substr(0, bytes), '\n'));
    rest_.remove_prefix(bytes);
  }

  void take(char c) {
    if (c != '"' && c != '\'') last_ = c;  // quotes in a row begin nothing either
    is_foreign_ = static_cast<unsigned char>(c) >= 0x80;
    if (c == '.') ++dots_;
    if (c == '[' || c == '{') open_ += c;
    if (c == ']' || c == '}') close(c == ']' ? '[' : '{');
    // What ends a key or a number.
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
    skip(1);
  }

  void close(char opened) {
    is_stray_ = open_.empty() || open_.back() != opened;
    if (!open_.empty()) open_.pop_back();
  }

  // To the end of the line or text when it is not closed: that is for the parser to say.
  void skip_string() {
    const char quote = rest_.front();
    last_ = quote;
    const std::string triple(3, quote);
    const bool has_lines = rest_.starts_with(triple);
    const std::string end = has_lines ? triple : std::string(1, quote);
    std::size_t at = end.size();
    while (at < rest_.size() && !rest_.substr(at).starts_with(end) && (has_lines || rest_[at] != '\n')) {
      at += quote == '"' && rest_[at] == '\\' ? 2 : 1;
    }
    const bool closed = at < rest_.size() && rest_[at] == quote;
    skip(std::min(closed ? at + end.size() : at, rest_.size()));
  }

  std::string_view rest_;
  char last_ = '\n';  // letter taken, outside of comments
  int line_ = 1;
  int dots_ = 0;      // of the key at hand
  std::string open_;  // brackets
  bool is_stray_ = false;
  bool is_foreign_ = false;
};

}  // namespace

std::optional<int> line_too_deep(std::string_view text) {
  return TomlScanner(text).find([](const TomlScanner& scanner) { return scanner.is_deep(); });
}

std::optional<int> line_with_stray_bracket(std::string_view text) {
  return TomlScanner(text).find([](const TomlScanner& scanner) { return scanner.is_stray(); });
}

std::optional<int> line_with_foreign_letter(std::string_view text) {
  return TomlScanner(text).find([](const TomlScanner& scanner) { return scanner.is_foreign(); });
}

void check_toml(std::string_view text, const std::string& file) {
  if (const auto line = line_too_deep(text)) {
    throw UserError("{}:{}: keys or brackets are nested more than {} deep", file, *line, kDeepestToml);
  }
  if (const auto line = line_with_stray_bracket(text)) {
    throw UserError("{}:{}: a bracket is closed that was not opened", file, *line);
  }
  if (const auto line = line_with_foreign_letter(text)) {
    throw UserError("{}:{}: a letter that is not ASCII belongs in quotes", file, *line);
  }
}

}  // namespace convoy
