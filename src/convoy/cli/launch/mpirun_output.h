// What mpirun writes to stderr: the ranks' own words, which go on as they come, and its own, which are kept back. Most
// of those repeat at length that a rank has failed, which the rank has said already.
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

// What the ranks have told so far that matters while they run.
struct RanksState {
  bool failed = false;     // the run is known to have failed: nothing but the end of mpirun is left to wait for
  bool listening = false;  // the first rank takes requests to stop (launcher_lines.h)
  bool heard = false;      // it has taken one
};

class MpirunOutput {
 public:
  // `pass` gets what the ranks write, in pieces of any size.
  explicit MpirunOutput(std::function<void(std::string_view)> pass) : pass_(std::move(pass)) {}

  void take(std::string_view piece);
  // The end: what was begun and not finished goes on.
  void finish();

  // What mpirun had to say for itself that is not a repetition: why it could not start the ranks. Mostly empty.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] const std::optional<KilledRank>& killed() const { return killed_; }
  // Whether there are hosts that mpirun could not start anything on, and what ssh says about it.
  [[nodiscard]] bool unreachable() const { return unreachable_; }
  [[nodiscard]] const std::string& ssh_words() const { return ssh_words_; }
  // The exit code with which a rank ended the run, having said why (see launcher_lines.h).
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
  std::string line_;  // held back, as it may be mpirun's
  bool at_line_start_ = true;
  bool in_block_ = false;  // between two lines of dashes
  std::string block_;
  std::string complaint_;
  bool unreachable_ = false;
  std::string ssh_words_;
  std::optional<KilledRank> killed_;
  std::optional<int> end_code_;
  std::optional<std::string> run_folder_;
  std::string notice_;  // as far as it has come
  RanksState state_;
};

}  // namespace convoy::cli
