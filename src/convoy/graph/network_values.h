// Values in the text of a network: whole numbers (also as products of names, "4*width"), extents, paddings, fractions.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/toml_parser.h"
#include "convoy/graph/operators.h"

namespace convoy {

// A place in a text, for messages.
class TextPlace {
 public:
  TextPlace(std::string file, const toml::source_region& region) : TextPlace(std::move(file), region.begin.line) {}
  TextPlace(std::string file, std::uint32_t line) : file_(std::move(file)), line_(line) {}

  // The place of a value inside, if the parser knows its line.
  [[nodiscard]] TextPlace at(const toml::node& node) const {
    const std::uint32_t line = node.source().begin.line;
    return {file_, line > 0 ? line : line_};
  }
  [[nodiscard]] std::uint32_t line() const { return line_; }

  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError("{}:{}: {}", file_, line_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::string file_;
  std::uint32_t line_;
};

// Names that may stand for numbers in the text.
using NamedNumbers = std::map<std::string, std::int64_t>;

// Reads values. An error names the place, the `owner`, such as `layer "conv1"`, and the key.
class ValueReader {
 public:
  ValueReader(TextPlace place, std::string owner, const NamedNumbers& numbers)
      : place_(std::move(place)), owner_(std::move(owner)), numbers_(numbers) {}

  [[nodiscard]] std::int64_t whole(std::string_view key, const toml::node& node) const;

  void read(std::string_view key, const toml::node& node, int& value) const;
  void read(std::string_view key, const toml::node& node, bool& value) const;
  void read(std::string_view key, const toml::node& node, float& value) const;
  void read(std::string_view key, const toml::node& node, Extent& value) const;
  void read(std::string_view key, const toml::node& node, Padding& value) const;

 private:
  [[nodiscard]] std::int64_t product(std::string_view key, const std::string& text) const;
  [[nodiscard]] std::int64_t factor(std::string_view key, const std::string& text) const;
  [[nodiscard]] std::vector<int> wholes(std::string_view key, const toml::node& node) const;

  template <typename... Args>
  [[noreturn]] void refuse(std::string_view key, fmt::format_string<Args...> format, Args&&... args) const {
    place_.refuse("{}: {} {}", owner_, key, fmt::format(format, std::forward<Args>(args)...));
  }

  TextPlace place_;
  std::string owner_;
  const NamedNumbers& numbers_;
};

// "; did you mean \"conv\"?", or nothing.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace convoy
