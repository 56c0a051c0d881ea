#include "convoy/study/analysis/series_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace convoy::study {
namespace {

constexpr std::array<std::string_view, 6> kSilentWords = {"on", "with", "and", "of", "the", "size"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Letters, digits and points alone, in lower case.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '.' || byte >= 0x80) result += static_cast<char>(std::tolower(byte));
  }
  return result;
}

// Runs of characters that are neither blank nor punctuation between words; "VGG-16" is one.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kBetween = " \t,;:/()[]=+";
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
    if (std::string word = plain(text.substr(0, end)); !word.empty()) words.push_back(std::move(word));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// "resnet" and "resnet34": the same letters, then a number more.
bool is_family(std::string_view family, std::string_view member) {
  return !family.empty() && !is_digit(family.back()) && member.starts_with(family) &&
         is_number(member.substr(family.size()));
}

bool says(const std::string& key, const std::string& value, const std::string& word) {
  const std::string said = plain(value);
  if (word == said || word == plain(key) + said) return true;
  return key == "model" && (is_family(word, said) || is_family(said, word));
}

class Matcher {
 public:
  explicit Matcher(const std::map<std::string, std::string>& settings) : settings_(settings) {}

  [[nodiscard]] bool all_said(const std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool number_follows = i + 1 < words.size() && is_number(words[i + 1]);
      if (number_follows && !is_number(words[i]) && is_said(words[i] + words[i + 1])) {
        ++i;
        continue;
      }
      // "batch" of "batch 256" says something only together with its number.
      if (number_follows && settings_.contains(words[i])) return false;
      if (!is_said(words[i])) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_said(const std::string& word) const {
    return std::ranges::any_of(settings_, [&](const auto& entry) { return says(entry.first, entry.second, word); });
  }

  const std::map<std::string, std::string>& settings_;
};

}  // namespace

bool names_settings(std::string_view text, const std::map<std::string, std::string>& settings) {
  std::vector<std::string> words = words_of(text);
  std::erase_if(words,
                [](const std::string& word) { return std::ranges::find(kSilentWords, word) != kSilentWords.end(); });
  return Matcher(settings).all_said(words);
}

}  // namespace convoy::study
