// Separates what mpirun writes to stderr: the ranks' own output, which is passed on as it comes, and mpirun's messages,
// which are held back. Most of these repeat at length that a rank has failed, which the rank has said already.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace convoy::cli {

// A rank that a signal ended.
struct KilledRank {
  int rank = 0;
  std::string host;
  int signal = 0;
};

// What the ranks have said so far that matters while they run.
struct RanksState {
  bool failed = false;     // the run is known to have failed; only the end of mpirun is still waited for
  bool listening = false;  // the first rank accepts requests to stop (launcher_lines.h)
  bool heard = false;      // it has received one
};

class MpirunOutput {
 public:
  // `pass` gets what the ranks write, in parts of any size.
  explicit MpirunOutput(std::function<void(std::string_view)> pass) : pass_(std::move(pass)) {}

  void take(std::string_view piece);
  // At the end of the output: passes on an unfinished line.
  void finish();

  // Messages of mpirun that are not repetitions: why it could not start the ranks. Usually empty.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] const std::optional<KilledRank>& killed() const { return killed_; }
  // Whether there are hosts on which mpirun could not start anything, and what ssh says about it.
  [[nodiscard]] bool unreachable() const { return unreachable_; }
  [[nodiscard]] const std::string& ssh_words() const { return ssh_words_; }
  // The exit code with which a rank ended the run after saying why (see launcher_lines.h).
  [[nodiscard]] const std::optional<int>& end_code() const { return end_code_; }
  // Where the run is recorded, if it got that far.
  [[nodiscard]] const std::optional<std::string>& run_folder() const { return run_folder_; }
  [[nodiscard]] const RanksState& state() const { return state_; }

 private:
  void take_notice(std::string_view part);
  void take_words(std::string_view part);
  void take_line(const std::string& line);
  void end_block();

  std::function<void(std::string_view)> pass_;
  std::string line_;  // held back, because it may be mpirun's
  bool at_line_start_ = true;
  bool in_block_ = false;  // between two lines of dashes
  std::string block_;
  std::string complaint_;
  bool unreachable_ = false;
  std::string ssh_words_;
  std::optional<KilledRank> killed_;
  std::optional<int> end_code_;
  std::optional<std::string> run_folder_;
  std::string notice_;  // the part of a notice that has arrived so far
  RanksState state_;
};

}  // namespace convoy::cli
