#include "convoy/study/log/imported_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "convoy/base/error.h"

namespace convoy::study {

namespace {

std::vector<std::string> words_in_name(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (c == '-' || c == '_') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

bool is_whole_number(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  return !text.empty() && text.size() <= kMostDigits &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

constexpr std::array kNumbers = {std::pair{"batchsize", "batch"}, std::pair{"minibatch", "batch"},
                                 std::pair{"batch", "batch"},     std::pair{"bs", "batch"},
                                 std::pair{"nodes", "workers"},   std::pair{"node", "workers"},
                                 std::pair{"workers", "workers"}, std::pair{"ranks", "workers"},
                                 std::pair{"threads", "threads"}, std::pair{"cores", "threads"}};

class NameReader {
 public:
  explicit NameReader(std::vector<std::string> words) : words_(std::move(words)) {}

  std::map<std::string, std::string> read() {
    for (next_ = 0; next_ < words_.size(); ++next_) take_word(words_[next_]);
    const bool is_model = settings_.contains("device") && settings_.contains("workers");
    if (!rest_.empty()) settings_[is_model ? "model" : kNameSetting] = rest_;
    return settings_;
  }

 private:
  // Takes "batch64", or "batch" with the number as the next word.
  bool take_number(const std::string& word) {
    for (const auto& [prefix, setting] : kNumbers) {
      if (!word.starts_with(prefix)) continue;
      std::string digits = word.substr(std::string_view(prefix).size());
      const bool is_apart = digits.empty() && next_ + 1 < words_.size();
      if (is_apart) digits = words_[next_ + 1];
      if (!is_whole_number(digits)) continue;
      if (is_apart) ++next_;
      settings_[setting] = std::to_string(std::stol(digits));  // "064" is 64
      return true;
    }
    return false;
  }

  void take_word(const std::string& word) {
    const std::string small = lower(word);
    if (take_number(small)) return;
    if (small == "cpu" || small == "gpu") {
      settings_["device"] = small;
    } else if (small.starts_with("lab")) {
      settings_["lab"] = small;
    } else if (!word.empty()) {
      rest_ += rest_.empty() ? word : "-" + word;
    }
  }

  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::string rest_;
  std::map<std::string, std::string> settings_;
};

}  // namespace

std::map<std::string, std::string> settings_from_name(std::string_view name) {
  return NameReader(words_in_name(std::filesystem::path(name).stem().string())).read();
}

void set_everywhere(std::span<ImportedLog> logs, const std::string& key, const std::string& value) {
  const ImportedLog* first = nullptr;
  for (const ImportedLog& log : logs) {
    const auto said = log.settings.find(key);
    if (said == log.settings.end()) continue;
    if (first == nullptr) first = &log;
    if (first->settings.at(key) == said->second) continue;
    throw UserError(
        "{}={} is for all logs, but {} says {} {} and {} says {}: they would be taken for the same; import them apart",
        key, value, first->name, key, first->settings.at(key), log.name, said->second);
  }
  for (ImportedLog& log : logs) log.settings[key] = value;
}

}  // namespace convoy::study
