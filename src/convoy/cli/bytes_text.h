// Amounts of memory as users write them.
#pragma once

#include <cstddef>
#include <string>

namespace convoy::cli {

// Bytes of "512", "64K", "4M", "1G" (powers of 1024); nothing else. Throws UserError that begins with `key`.
[[nodiscard]] std::size_t parse_bytes(const std::string& key, const std::string& text);

}  // namespace convoy::cli
