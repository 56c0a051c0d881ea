#include "convoy/study/imported_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

namespace convoy::study {

namespace {

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (c == '-') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// What follows `prefix` when that is a number.
std::string number_after(std::string_view word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return "";
  const std::string_view digits = word.substr(prefix.size());
  return std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; }) ? std::string(digits) : "";
}

constexpr std::array kNumbers = {std::pair{"batch", "batch"}, std::pair{"nodes", "workers"},
                                 std::pair{"cores", "cores"}};

void take_word(const std::string& word, std::map<std::string, std::string>& settings) {
  for (const auto& [prefix, setting] : kNumbers) {
    if (const std::string number = number_after(word, prefix); !number.empty()) {
      settings[setting] = number;
      return;
    }
  }
  if (word == "cpu" || word == "gpu") {
    settings["device"] = word;
  } else if (word.starts_with("lab")) {
    settings["lab"] = word;
  } else {
    std::string& model = settings["model"];
    model += model.empty() ? word : "-" + word;
  }
}

}  // namespace

std::map<std::string, std::string> settings_from_name(std::string_view name) {
  std::map<std::string, std::string> settings;
  for (const std::string& word : words_of(std::filesystem::path(name).stem().string())) take_word(word, settings);
  if (!settings.contains("device") || !settings.contains("workers")) return {};
  return settings;
}

}  // namespace convoy::study
