// Numbers as people read them in tables and messages.
#pragma once

#include <cstdint>
#include <string>

namespace convoy {

// 1,663,370
[[nodiscard]] std::string grouped_text(std::int64_t number);

// Binary units, three significant digits: "512 B", "1.5 GiB", "12.3 MiB".
[[nodiscard]] std::string bytes_text(double bytes);

// Decimal units for counts and rates, three significant digits: "950", "1.66 M", "12.3 G".
[[nodiscard]] std::string scaled_text(double number);

}  // namespace convoy
