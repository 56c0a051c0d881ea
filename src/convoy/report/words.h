// Numbers and counts as parts of sentences.
#pragma once

#include <cstdint>
#include <string>

namespace convoy::report {

// "1 worker", "2 workers"; `things` in the plural.
[[nodiscard]] std::string count_text(std::int64_t count, const std::string& things);

// Three significant digits, without zeros that say nothing: "2", "2.5", "0.125", "1234".
[[nodiscard]] std::string short_text(double number);

// The first letter large, for the beginning of a sentence.
[[nodiscard]] std::string capitalized(std::string text);

}  // namespace convoy::report
