#include "convoy/base/toml_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/utf8.h"

namespace convoy {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_key_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool is_toml_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

// Removes digits from the front of the text, with single underscores between them. Returns whether there was at least
// one digit.
template <typename IsDigit>
bool take_digits(std::string_view& text, IsDigit is_one) {
  bool any = false;
  while (!text.empty()) {
    const bool is_between = any && text.front() == '_' && text.size() > 1 && is_one(text[1]);
    if (!is_one(text.front()) && !is_between) break;
    any = true;
    text.remove_prefix(1);
  }
  return any;
}

bool is_prefixed_number(std::string_view word) {
  const auto rest_is = [&](auto is_one) {
    std::string_view digits = word.substr(2);
    return take_digits(digits, is_one) && digits.empty();
  };
  if (word.starts_with("0x")) return rest_is(is_hex);
  if (word.starts_with("0o")) return rest_is([](char c) { return c >= '0' && c <= '7'; });
  if (word.starts_with("0b")) return rest_is([](char c) { return c == '0' || c == '1'; });
  return false;
}

bool take_sign(std::string_view& word) {
  const bool has_sign = word.starts_with('+') || word.starts_with('-');
  if (has_sign) word.remove_prefix(1);
  return has_sign;
}

bool is_toml_number(std::string_view word) {
  if (is_prefixed_number(word)) return true;
  take_sign(word);
  if (word == "inf" || word == "nan") return true;
  // Leading zeros are not allowed.
  if (word.size() > 1 && word[0] == '0' && (is_digit(word[1]) || word[1] == '_')) return false;
  if (!take_digits(word, is_digit)) return false;
  if (word.starts_with('.')) {
    word.remove_prefix(1);
    if (!take_digits(word, is_digit)) return false;
  }
  if (word.starts_with('e') || word.starts_with('E')) {
    word.remove_prefix(1);
    take_sign(word);
    if (!take_digits(word, is_digit)) return false;
  }
  return word.empty();
}

// Walks through the text once, following TOML's grammar. Each take_ function consumes what it is named after, or
// refuses.
class TomlGrammar {
 public:
  TomlGrammar(std::string_view text, const std::string& file) : rest_(text), file_(file) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  void check() {
    while (!rest_.empty()) {
      take_blanks();
      if (is_at('[')) {
        take_heading();
      } else if (!rest_.empty() && !is_at('#') && !is_at('\n') && !is_at('\r')) {
        take_pair();
      }
      take_blanks();
      take_comment();
      if (!rest_.empty() && !take_newline()) refuse_here("the line should end");
    }
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError("{}:{}: {}", file_, line_, fmt::format(format, std::forward<Args>(args)...));
  }

  [[noreturn]] void refuse_here(std::string_view what) const {
    if (rest_.empty()) refuse("{}, and the text ends", what);
    const auto end = std::min(rest_.find_first_of("\n\r"), std::size_t{20});
    refuse("{} before '{}'", what, end == 0 ? "the end of the line" : quoted_text(std::string(rest_.substr(0, end))));
  }

  [[nodiscard]] bool is_at(char c) const { return rest_.starts_with(c); }

  void skip(std::size_t bytes) {
    line_ += static_cast<int>(std::ranges::count(rest_.substr(0, bytes), '\n'));
    rest_.remove_prefix(std::min(bytes, rest_.size()));
  }

  void expect(std::string_view mark, std::string_view what) {
    if (!rest_.starts_with(mark)) refuse_here(what);
    skip(mark.size());
  }

  void take_blanks() { skip(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  bool take_newline() {
    const std::size_t bytes = rest_.starts_with("\r\n") ? 2 : is_at('\n') ? 1 : 0;
    skip(bytes);
    return bytes > 0;
  }

  void take_comment() {
    if (!is_at('#')) return;
    while (!rest_.empty() && !is_at('\n') && !rest_.starts_with("\r\n")) {
      if (is_toml_control(rest_.front())) refuse("a comment holds a control character");
      skip(1);
    }
  }

  // The blanks, comments and line breaks that may stand between the values of an array.
  void take_lines() {
    do {
      take_blanks();
      take_comment();
    } while (take_newline());
  }

  void take_heading() {
    const bool is_list = rest_.starts_with("[[");
    skip(is_list ? 2 : 1);
    take_key();
    expect(is_list ? "]]" : "]", is_list ? "']]' is missing" : "']' is missing");
  }

  void take_pair() {
    take_key();
    expect("=", "'=' is missing");
    take_blanks();
    take_value();
  }

  // A key with its dotted parts and the blanks around them.
  void take_key() {
    for (int parts = 1;; ++parts) {
      if (parts > kDeepestToml) refuse_depth();
      take_blanks();
      take_key_part();
      take_blanks();
      if (!is_at('.')) return;
      skip(1);
    }
  }

  void take_key_part() {
    if (is_at('"') || is_at('\'')) {
      take_line_string();
      return;
    }
    const auto end = std::ranges::find_if_not(rest_, is_key_letter);
    if (end == rest_.begin()) {
      const bool is_foreign = !rest_.empty() && static_cast<unsigned char>(rest_.front()) >= 0x80;
      if (is_foreign) refuse("a letter that is not ASCII belongs in quotes");
      refuse_here("a key is missing");
    }
    skip(static_cast<std::size_t>(end - rest_.begin()));
  }

  [[noreturn]] void refuse_depth() const { refuse("keys or brackets are nested more than {} deep", kDeepestToml); }

  void take_value() {
    if (rest_.starts_with("\"\"\"") || rest_.starts_with("'''")) return take_long_string();
    if (is_at('"') || is_at('\'')) return take_line_string();
    if (!is_at('[') && !is_at('{')) return take_word();
    if (++depth_ > kDeepestToml) refuse_depth();
    is_at('[') ? take_array() : take_table();
    --depth_;
  }

  void take_array() {
    skip(1);
    for (take_lines(); !is_at(']'); take_lines()) {
      take_value();
      take_lines();
      if (!is_at(',')) break;
      skip(1);
    }
    expect("]", "',' or ']' is missing");
  }

  // An inline table: on one line, without a comma after its last entry.
  void take_table() {
    skip(1);
    take_blanks();
    while (!is_at('}')) {
      take_pair();
      take_blanks();
      if (!is_at(',')) break;
      skip(1);
      take_blanks();
      if (is_at('}')) refuse("a comma before '}}' is not TOML");
    }
    expect("}", "',' or '}' is missing");
  }

  void take_word() {
    const auto end = std::min(rest_.find_first_of(" \t\r\n,]}#"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    if (word.empty()) refuse_here("a value is missing");
    if (word != "true" && word != "false" && !is_toml_number(word)) {
      refuse("'{}' is not a number; text belongs in quotes", quoted_text(std::string(word.substr(0, 40))));
    }
    skip(end);
  }

  void take_line_string() {
    const char quote = rest_.front();
    skip(1);
    while (!is_at(quote)) {
      if (rest_.empty() || is_at('\n')) refuse("a quote is not closed in its line");
      take_letter(quote);
    }
    skip(1);
  }

  // One or two quotes of the text itself may stand directly before the three that close it.
  void take_long_string() {
    const char quote = rest_.front();
    const std::string end(3, quote);
    skip(3);
    while (!rest_.starts_with(end)) {
      if (rest_.empty()) refuse("{} is not closed", end);
      if (quote == '"' && take_line_continuation()) continue;
      if (!take_newline()) take_letter(quote);
    }
    skip(3);
    for (int more = 0; more < 2 && is_at(quote); ++more) skip(1);
  }

  // A backslash at the end of a line, with which the string goes on in the next line.
  bool take_line_continuation() {
    if (!is_at('\\')) return false;
    const auto after = rest_.find_first_not_of(" \t", 1);
    if (after == std::string_view::npos || (rest_[after] != '\n' && rest_.substr(after, 2) != "\r\n")) return false;
    skip(after);
    return take_newline();
  }

  void take_letter(char quote) {
    if (quote == '"' && is_at('\\')) return take_escape();
    if (is_toml_control(rest_.front())) refuse("a text holds a control character; \"\\u0007\" writes one");
    skip(1);
  }

  void take_escape() {
    const char kind = rest_.size() > 1 ? rest_[1] : '\0';
    const std::size_t digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    if (digits == 0 && (kind == '\0' || std::string_view("btnfr\"\\").find(kind) == std::string_view::npos)) {
      refuse("a backslash in quotes begins an escape, and this is none; two of them are one, and '...' has none");
    }
    const std::string_view code = rest_.substr(2, digits);
    if (code.size() < digits || !std::ranges::all_of(code, is_hex) || !is_scalar(code)) {
      refuse("\\{} wants {} digits of a character", kind, digits);
    }
    skip(2 + digits);
  }

  static bool is_scalar(std::string_view digits) {
    if (digits.empty()) return true;
    const std::uint64_t code = std::stoull(std::string(digits), nullptr, 16);
    return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  }

  std::string_view rest_;
  const std::string& file_;
  int line_ = 1;
  int depth_ = 0;  // how many brackets are open
};

// The line of the first byte that is not valid UTF-8.
int line_of_bad_byte(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const std::string_view first = text.substr(0, std::min(text.find('\n'), text.size()));
    if (!is_utf8(first)) break;
    text.remove_prefix(std::min(first.size() + 1, text.size()));
    ++line;
  }
  return line;
}

}  // namespace

void check_toml(std::string_view text, const std::string& file) {
  if (!is_utf8(text)) throw UserError("{}:{}: the text is no UTF-8", file, line_of_bad_byte(text));
  TomlGrammar(text, file).check();
}

}  // namespace convoy
