// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace convoy::report {

// Fit for text and for attributes in either kind of quotes. What XML cannot hold at all, control characters and bytes
// that are no UTF-8, becomes U+FFFD: names come from users' files.
[[nodiscard]] std::string escape_xml(std::string_view text);

}  // namespace convoy::report
