// Numbers and counts as parts of sentences.
#pragma once

#include <cstdint>
#include <string>

namespace convoy::report {

// "1 worker", "2 workers"; `things` in the plural.
[[nodiscard]] std::string count_text(std::int64_t count, const std::string& things);

// Three significant digits, without unnecessary zeros: "2", "2.5", "0.125", "1234".
[[nodiscard]] std::string short_text(double number);

// Removes the backticks around `code`, for places that cannot show it differently.
[[nodiscard]] std::string without_code_marks(std::string text);

// Factors for showing shares and seconds.
inline constexpr double kPercent = 100;
inline constexpr double kMilliseconds = 1000;

// With a capital first letter, for the beginning of a sentence.
[[nodiscard]] std::string capitalized(std::string text);

}  // namespace convoy::report
