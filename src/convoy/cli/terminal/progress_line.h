// How far something is, on stderr: one line that is redrawn on a terminal, a line for each tenth in a log file.
#pragma once

#include <cstdint>
#include <string>

namespace convoy::cli {

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

}  // namespace convoy::cli
