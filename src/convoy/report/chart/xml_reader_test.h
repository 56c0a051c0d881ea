// Reads XML, and the HTML that this folder writes, for tests. It is strict: it fails where a browser would guess.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::report {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // directly inside, with entities resolved

  [[nodiscard]] std::string at(const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? "" : found->second;
  }

  [[nodiscard]] double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }

  [[nodiscard]] bool has_class(std::string_view wanted) const {
    const std::string classes = ' ' + at("class") + ' ';
    return classes.find(' ' + std::string(wanted) + ' ') != std::string::npos;
  }

  // The numbers of "translate(x y)".
  [[nodiscard]] double moved_x() const { return std::stod(at("transform").substr(10)); }
  [[nodiscard]] double moved_y() const {
    const std::string transform = at("transform");
    return std::stod(transform.substr(transform.find(' ') + 1));
  }
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  // All elements in the order of their opening tags. Throws std::runtime_error if the text is not well-formed.
  std::vector<XmlElement> read() {
    if (rest_.starts_with("<!DOCTYPE html>")) rest_.remove_prefix(15);
    while (!rest_.empty()) {
      if (rest_.front() != '<') {
        read_text();
      } else if (rest_.starts_with("</")) {
        close();
      } else {
        open();
      }
    }
    require(open_.empty(), "an element is not closed");
    return elements_;
  }

 private:
  static constexpr std::string_view kNameCharacters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:";

  void require(bool condition, const std::string& what) const {
    if (!condition) throw std::runtime_error(what + " before: " + std::string(rest_.substr(0, 80)));
  }

  std::string take(std::size_t count) {
    std::string taken(rest_.substr(0, count));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string take_name() {
    std::string name = take(std::min(rest_.find_first_not_of(kNameCharacters), rest_.size()));
    require(!name.empty(), "a name is missing");
    return name;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }

  [[nodiscard]] std::string resolved(std::string_view text) const {
    static const std::map<std::string_view, char> kEntities = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"#39", '\''}};
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      require(text[i] != '<', "a bare '<'");
      if (text[i] != '&') {
        plain += text[i];
        continue;
      }
      const std::size_t end = text.find(';', i);
      require(end != std::string_view::npos && kEntities.contains(text.substr(i + 1, end - i - 1)), "a bare '&'");
      plain += kEntities.at(text.substr(i + 1, end - i - 1));
      i = end;
    }
    return plain;
  }

  void read_text() {
    const bool in_style = !open_.empty() && elements_[open_.back()].name == "style";
    const std::string text = take(std::min(rest_.find('<'), rest_.size()));
    if (open_.empty()) {
      require(text.find_first_not_of('\n') == std::string::npos, "text outside of the root");
    } else {
      elements_[open_.back()].text += in_style ? text : resolved(text);
    }
  }

  void close() {
    rest_.remove_prefix(2);
    const std::string name = take_name();
    require(!open_.empty() && elements_[open_.back()].name == name, "closes another element: " + name);
    open_.pop_back();
    require(rest_.starts_with('>'), "'>' is missing");
    rest_.remove_prefix(1);
  }

  void open() {
    rest_.remove_prefix(1);
    XmlElement element{.name = take_name()};
    while (true) {
      skip_blanks();
      if (rest_.starts_with('>') || rest_.starts_with("/>")) break;
      read_attribute(element);
    }
    const bool closed = rest_.starts_with("/>") || element.name == "meta";
    rest_.remove_prefix(rest_.starts_with("/>") ? 2 : 1);
    elements_.push_back(element);
    if (!closed) open_.push_back(elements_.size() - 1);
  }

  void read_attribute(XmlElement& element) {
    const std::string name = take_name();
    require(rest_.starts_with("=\""), "no value of " + name);
    rest_.remove_prefix(2);
    const std::string value = take(rest_.find('"'));
    require(!rest_.empty(), "a value does not end");
    rest_.remove_prefix(1);
    require(element.attributes.emplace(name, resolved(value)).second, "twice " + name);
  }

  std::string_view rest_;
  std::vector<XmlElement> elements_;
  std::vector<std::size_t> open_;  // indices of elements that are still open
};

inline std::vector<XmlElement> read_xml(std::string_view text) { return XmlReader(text).read(); }

inline std::vector<XmlElement> with_class(const std::vector<XmlElement>& elements, std::string_view wanted) {
  std::vector<XmlElement> found;
  for (const XmlElement& element : elements) {
    if (element.has_class(wanted)) found.push_back(element);
  }
  return found;
}

inline std::vector<XmlElement> named(const std::vector<XmlElement>& elements, std::string_view wanted) {
  std::vector<XmlElement> found;
  for (const XmlElement& element : elements) {
    if (element.name == wanted) found.push_back(element);
  }
  return found;
}

// The text of all <text> elements, to check what a chart says.
inline std::vector<std::string> texts_in(const std::vector<XmlElement>& elements) {
  std::vector<std::string> texts;
  for (const XmlElement& element : named(elements, "text")) texts.push_back(element.text);
  return texts;
}

// The elements of a drawing; throws if it is not well-formed or a coordinate is not an ordinary number.
template <typename Chart>
std::vector<XmlElement> elements_of(const Chart& chart) {
  std::vector<XmlElement> elements = read_xml("<svg>" + draw(chart, "Chart-x").elements + "</svg>");
  for (const XmlElement& element : elements) {
    for (const char* attribute : {"x", "y", "width", "height", "d", "transform"}) {
      std::string value = element.at(attribute);
      for (const char* word : {"translate", "rotate"}) {
        if (value.starts_with(word)) value.erase(0, std::string_view(word).size());
      }
      if (value.find_first_not_of("0123456789.- ()MLHVZah") != std::string::npos || value.size() > 40000) {
        throw std::runtime_error("no coordinates: " + value.substr(0, 80));
      }
    }
  }
  return elements;
}

}  // namespace convoy::report
