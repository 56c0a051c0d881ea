// Amounts as users write and read them: durations and sizes in bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

// The seconds of "90", "90s", "1.5m" or "2h". Throws UserError that begins with `key` for anything else.
[[nodiscard]] double parse_duration(const std::string& key, const std::string& text);

// "41 s", "3:07", "1:02:45"; "-" for a number that is not finite.
[[nodiscard]] std::string duration_text(double seconds);

// A list of sizes such as 1K,64K,4M with binary units K, M and G, or none for bytes. Sorted, without repetitions.
// Throws UserError for anything else, for sizes below 4 bytes or above 4 GiB, and for an empty list.
[[nodiscard]] std::vector<std::size_t> parse_byte_sizes(std::string_view text);

// One such size. The error begins with `key`.
[[nodiscard]] std::size_t parse_byte_size(const std::string& key, std::string_view text);

// The inverse, as short as possible: 65536 is 64K.
[[nodiscard]] std::string byte_size_text(std::size_t bytes);

}  // namespace convoy
