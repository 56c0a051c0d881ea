// The runs of one log file, which readers of logs fill line by line. A file may hold several: what tells where one ends
// is decided here, for all readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"
#include "convoy/study/log/log_text.h"

namespace convoy::study {

// A new run begins with the first lines after a command; with an epoch that is not beyond the last one, if a heading
// stands between them or the run before was over: its last announced epoch is there, or it was evaluated. Else an
// epoch that comes after a later one is an error.
class LogRuns {
 public:
  // Settings come from the file's name; those of a command above a run's lines count more.
  LogRuns(std::string name, std::string system);

  // Takes a command or a heading; false for any other line.
  bool take_boundary(const LogLine& line);

  [[nodiscard]] ImportedLog& current() { return runs_.back(); }
  [[nodiscard]] const std::vector<ImportedEpoch>& lines() const { return runs_.back().lines; }
  [[nodiscard]] std::size_t count() const { return runs_.size(); }
  // For what a program prints once, at its start.
  void begin_unless_empty();
  // For what comes before an evaluation, never after it.
  void begin_if_evaluated();
  // Throws DataError with the line for an epoch that makes no sense. 0 announced epochs are not known.
  void add(const ImportedEpoch& epoch, std::int64_t announced_epochs, std::size_t line);
  // Nothing of the run can follow but repetitions.
  void set_evaluated() { is_evaluated_ = true; }
  void count_passed_over() { ++passed_over_; }
  [[noreturn]] void fail(std::size_t line, std::string_view message) const;

  // Those with lines, told apart by their name where there are several. Throws DataError with `what_is_missing` when
  // there is none.
  [[nodiscard]] std::vector<ImportedLog> finish(std::string_view what_is_missing) &&;

 private:
  void begin();
  void take_command(std::string_view text);
  void tell_apart();

  std::string name_;
  std::string system_;
  std::vector<ImportedLog> runs_;
  bool after_heading_ = false;
  bool is_evaluated_ = false;
  std::string command_;  // whose end is still to come
  std::size_t passed_over_ = 0;
};

}  // namespace convoy::study
