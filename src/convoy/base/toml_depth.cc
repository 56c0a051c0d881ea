#include "convoy/base/toml_depth.h"

#include <algorithm>
#include <string>

namespace convoy {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::optional<int> run() {
    while (!rest_.empty()) {
      if (rest_.front() == '"' || rest_.front() == '\'') {
        skip_string();
      } else if (rest_.front() == '#') {
        skip(std::min(rest_.find('\n'), rest_.size()));
      } else if (take(rest_.front()); dots_ >= kDeepestToml || brackets_ > kDeepestToml) {
        return line_;
      }
    }
    return std::nullopt;
  }

 private:
  void skip(std::size_t bytes) {
    line_ += static_cast<int>(std::ranges::count(rest_.substr(0, bytes), '\n'));
    rest_.remove_prefix(bytes);
  }

  void take(char c) {
    if (c == '.') ++dots_;
    if (c == '[' || c == '{') ++brackets_;
    if (c == ']' || c == '}') brackets_ = std::max(0, brackets_ - 1);
    // What ends a key or a number.
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
    skip(1);
  }

  // To the end of the line or text when it is not closed: that is for the parser to say.
  void skip_string() {
    const char quote = rest_.front();
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
  int line_ = 1;
  int dots_ = 0;      // of the key at hand
  int brackets_ = 0;  // open
};

}  // namespace

std::optional<int> line_too_deep(std::string_view text) { return Scanner(text).run(); }

}  // namespace convoy
