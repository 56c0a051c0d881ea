// The ranks that a script runs on: those that mpirun started, or this process alone.
#pragma once

#include "convoy/comm/communicator.h"

namespace convoy::python {

// Joins the other ranks at the first call, which is collective, and stays joined until leave_ranks(). If MPI was
// already initialised, by mpi4py for example, it is used and left running.
[[nodiscard]] Communicator& ranks();

// How many ranks have joined: 1 before the first call of ranks().
[[nodiscard]] int joined_size();

// Collective. Called at the end of the script.
void leave_ranks();

// While it lives, no signal interrupts this thread: kernels that oneDNN generates keep values where a signal handler's
// frame would be written. Signals that arrive meanwhile, Ctrl-C among them, are handled afterwards.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

  // Lets signals that have arrived be handled now.
  void let_in() const;

 private:
  struct Mask;
  Mask* before_;
};

}  // namespace convoy::python
