// The ranks that a script runs on: those of mpirun, or this process alone.
#pragma once

#include "convoy/comm/communicator.h"

namespace convoy::python {

// Joins the others at the first call, which is collective, and stays joined until leave_ranks(). MPI may have been
// initialised before, by mpi4py say, which then ends it too.
[[nodiscard]] Communicator& ranks();

// How many have joined: 1 before the first call of ranks().
[[nodiscard]] int joined_size();

// Collective: for the end of the script.
void leave_ranks();

// Nothing computed while it lives is disturbed by a signal: kernels that oneDNN generates keep values where the frame
// of a signal handler would be written. Python's handlers run when it ends; so does Ctrl-C.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

  // Lets signals in for a moment.
  void let_in() const;

 private:
  struct Mask;
  Mask* before_;
};

}  // namespace convoy::python
