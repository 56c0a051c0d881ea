// What runs and data sources have to say beside their results, and how far they are: on stderr.
#pragma once

#include <cstdint>
#include <string>

#include "convoy/run/remarks.h"

namespace convoy::cli {

// How far something is: one line that is redrawn on a terminal, a line for each tenth in a log file.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  // `amount` says in words what `done` of `total` are: "12 MiB of 162 MiB". A total of zero is unknown.
  void show(const std::string& what, const std::string& amount, std::int64_t done, std::int64_t total);

  // Ends a line that was begun, for other output to come; the destructor does it too.
  void end();

 private:
  bool on_terminal_;
  bool is_open_ = false;
  std::string what_;
  std::int64_t last_step_ = -1;
};

// Notes and the progress of packing; no news.
[[nodiscard]] Remarks terminal_remarks();

// How far making a pack is.
void show_packing(ProgressLine& line, std::int64_t done, std::int64_t total);

// One line that is neither result nor error.
void print_note(const std::string& note);

}  // namespace convoy::cli
