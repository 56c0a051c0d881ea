// A document as one HTML file that needs nothing else: no network, no scripts, no other files.
#pragma once

#include <string>

#include "convoy/report/document.h"

namespace convoy::report {

// Throws InternalError for a document that check_document refuses.
[[nodiscard]] std::string to_html(const Document& document);

}  // namespace convoy::report
