#include "convoy/cli/terminal/terminal_remarks.h"

#include <fmt/core.h>

#include <memory>

#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/terminal/standard_streams.h"

namespace convoy::cli {

Remarks terminal_remarks() {
  const auto line = std::make_shared<ProgressLine>();
  Remarks remarks;
  remarks.on_note = [line](const std::string& note) {
    line->end();
    print_note(note);
  };
  remarks.on_packing = [line](std::int64_t done, std::int64_t total) { show_packing(*line, done, total); };
  return remarks;
}

void show_packing(ProgressLine& line, std::int64_t done, std::int64_t total) {
  line.show("packing", fmt::format("{} of {} images", grouped_text(done), grouped_text(total)), done, total);
}

void print_note(const std::string& note) { say("note: {}\n", message_text(note)); }

}  // namespace convoy::cli
