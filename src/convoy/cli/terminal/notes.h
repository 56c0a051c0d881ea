// Shows on stderr what runs and data sources have to say besides their results, and their progress.
#pragma once

#include <cstdint>
#include <string>

#include "convoy/run/remarks.h"

namespace convoy::cli {

// Shows progress: one line that is redrawn on a terminal, or a line for each tenth in a log file.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  // `amount` describes `done` of `total` in words: "12 MiB of 162 MiB". A total of zero means that it is not known.
  void show(const std::string& what, const std::string& amount, std::int64_t done, std::int64_t total);

  // Ends a line that was begun, so that other output can follow; the destructor does it too.
  void end();

 private:
  bool on_terminal_;
  bool is_open_ = false;
  std::string what_;
  std::int64_t last_step_ = -1;
};

// Shows notes and the progress of packing, but no news.
[[nodiscard]] Remarks terminal_remarks();

// Shows how far a pack is.
void show_packing(ProgressLine& line, std::int64_t done, std::int64_t total);

// Prints one line that is neither a result nor an error.
void print_note(const std::string& note);

}  // namespace convoy::cli
