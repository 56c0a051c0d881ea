// The runs of one log file, which readers of logs fill line by line. A file may contain several; where one ends is
// decided here, for all readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/study/log/imported_log.h"
#include "convoy/study/log/log_text.h"

namespace convoy::study {

// A new run begins with the first lines after a command. It also begins with an epoch that is not beyond the last one,
// if there is a heading between them or the earlier run was over, that is, its last announced epoch is there or it was
// evaluated. Otherwise an epoch that comes after a later one is an error.
class LogRuns {
 public:
  // Settings come from the file's name; a command above a run's lines takes precedence.
  LogRuns(std::string name, std::string system);

  // Handles a command or a heading; returns false for any other line.
  bool take_boundary(const LogLine& line);

  [[nodiscard]] ImportedLog& current() { return runs_.back(); }
  [[nodiscard]] const std::vector<ImportedEpoch>& lines() const { return runs_.back().lines; }
  [[nodiscard]] std::size_t count() const { return runs_.size(); }
  // Called for what a program prints once, at its start.
  void begin_unless_empty();
  // Called for what is printed only before an evaluation.
  void begin_if_evaluated();
  // Throws DataError with the line for an epoch that makes no sense. 0 announced epochs mean that the number is not
  // known.
  void add(const ImportedEpoch& epoch, std::int64_t announced_epochs, std::size_t line);
  // After this, nothing but repetitions can belong to the run.
  void set_evaluated() { is_evaluated_ = true; }
  void count_passed_over() { ++passed_over_; }
  [[noreturn]] void fail(std::size_t line, std::string_view message) const;

  // The runs that have lines; if there are several, their names tell them apart. Throws DataError with
  // `what_is_missing` when there is none.
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
  std::string command_;  // a command that continues on the next line
  std::size_t passed_over_ = 0;
};

}  // namespace convoy::study
