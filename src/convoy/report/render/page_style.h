// How a page looks: on screens, light or dark, on phones and on paper.
#pragma once

#include <string>

namespace convoy::report {

// The content of the page's <style> element, including that for charts.
[[nodiscard]] std::string page_style();

}  // namespace convoy::report
