#include "convoy/cli/terminal/notes.h"

#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/terminal/terminal.h"

namespace convoy::cli {

ProgressLine::ProgressLine() : on_terminal_(stderr_is_terminal()) {}

ProgressLine::~ProgressLine() { end(); }

void ProgressLine::end() {
  if (is_open_) (void)std::fputc('\n', stderr);
  is_open_ = false;
}

void ProgressLine::show(const std::string& what, const std::string& amount, std::int64_t done, std::int64_t total) {
  if (what != what_) {
    end();
    what_ = what;
    last_step_ = -1;
  }
  // Percent on a terminal, tenths in a file: more is not useful.
  const std::int64_t steps = on_terminal_ ? 100 : 10;
  const std::int64_t step = total > 0 ? done * steps / total : done;
  if (step == last_step_) return;
  last_step_ = step;
  if (on_terminal_) {
    say("\r\033[K{}: {}", what, amount);
    is_open_ = true;
  } else if (total > 0) {
    say("{}: {}\n", what, amount);
  }
}

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
