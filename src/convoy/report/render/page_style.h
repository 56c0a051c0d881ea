// How a page looks: on a screen, light or dark, on a phone and on paper.
#pragma once

#include <string>

namespace convoy::report {

// The content of the page's <style>, charts included.
[[nodiscard]] std::string page_style();

}  // namespace convoy::report
