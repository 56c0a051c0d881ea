// Lengths of time as users write and read them.
#pragma once

#include <string>

namespace convoy {

// Seconds of "90", "90s", "1.5m", "2h"; nothing else. Throws UserError that begins with `key`.
[[nodiscard]] double parse_duration(const std::string& key, const std::string& text);

// "41 s", "3:07", "1:02:45"; "-" for what is no number.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace convoy
