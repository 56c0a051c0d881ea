// What runs and data sources have to say, on stderr.
#pragma once

#include <string>

#include "convoy/cli/terminal/progress_line.h"
#include "convoy/run/remarks.h"

namespace convoy::cli {

// Notes and the progress of packing; no news.
[[nodiscard]] Remarks terminal_remarks();

// How far making a pack is.
void show_packing(ProgressLine& line, std::int64_t done, std::int64_t total);

// One line that is neither result nor error.
void print_note(const std::string& note);

}  // namespace convoy::cli
