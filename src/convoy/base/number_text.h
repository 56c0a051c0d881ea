// Numbers as people read them in tables and messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace convoy {

// 1,663,370
[[nodiscard]] std::string grouped_text(std::int64_t number);

// Binary units, three significant digits: "512 B", "1.5 GiB", "12.3 MiB".
[[nodiscard]] std::string bytes_text(double bytes);

// Decimal units for counts and rates, three significant digits: "950", "1.66 M", "12.3 G".
[[nodiscard]] std::string scaled_text(double number);

// The number with that many significant digits. Trailing zeros are kept and digits before the point are never cut:
// "1.930", "85.20", "12346". Very small numbers, and those from a thousand million on, have an exponent: "1.200e-05".
// "-" for a number that is not finite.
[[nodiscard]] std::string significant_text(double number, int digits = 4);

// A share in percent with one decimal: "96.3 %". "-" for a number that is not finite.
[[nodiscard]] std::string percent_text(double share);

// Whether a cell of a table reads as a number, perhaps with a unit after it: "1,663", "-0.5", "12.3 G" and "85 %" do,
// "3x224x224" does not.
[[nodiscard]] bool reads_as_number(std::string_view cell);

}  // namespace convoy
