// The exceptions Convoy throws. Library code throws these and never prints or exits; the command line turns them
// into a message and an exit code.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace convoy {

// Something the user gave is wrong: a flag, a configuration value, a file. The message says what, where, and how to
// mend it.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  template <typename... Args>
  explicit UserError(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

// Data on disk is missing or corrupt.
class DataError : public UserError {
 public:
  using UserError::UserError;
};

// The machine or a peer failed: I/O, memory, MPI, a lost rank.
class SystemError : public std::runtime_error {
 public:
  explicit SystemError(const std::string& message, int rank = 0) : std::runtime_error(message), rank_(rank) {}

  [[nodiscard]] int rank() const { return rank_; }

 private:
  int rank_;
};

// The loss or the gradients became infinite or NaN. The message says where and what to try.
class DivergedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A broken invariant of Convoy itself, thrown by the checks of check.h.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace convoy
