// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace convoy::report {

// Escapes text for use between tags and in attributes with either kind of quotes. What XML cannot contain at all,
// control characters and bytes that are not UTF-8, becomes U+FFFD, since names come from users' files.
[[nodiscard]] std::string escape_xml(std::string_view text);

}  // namespace convoy::report
