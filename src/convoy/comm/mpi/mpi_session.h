// Joins a run of MPI processes. No code outside this folder includes MPI's own header.
#pragma once

#include <chrono>
#include <memory>

#include "convoy/comm/transport.h"

namespace convoy {

struct MpiOptions {
  // How long a rank waits for another before it gives up.
  std::chrono::milliseconds deadline = std::chrono::seconds(60);
  // For tests: each group of this many neighbouring ranks of a machine counts as a node of its own; 0: a machine is a
  // node.
  int ranks_per_node = 0;
};

// Initialises MPI, and finalises it at the end of its life. It does not finalise MPI if the program or another session
// had initialised it before. Nor does it after a lost rank or while an exception is thrown: the other ranks would never
// take part in the finalisation, so whoever catches the error calls abort() or exits.
//
// In a program that is built without MPI (no_mpi.cc) a session is one rank alone.
//
// Threads: any, but one at a time.
class MpiSession {
 public:
  // Collective. Throws SystemError when MPI cannot be used from several threads in turn.
  explicit MpiSession(const MpiOptions& options = {});
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  [[nodiscard]] Transport& transport();

  // Called before more than one rank is started or joined. Throws UserError in a program that is built without MPI.
  static void require_built();

  // Whether MPI is initialised in this process and not yet finalised, no matter by whom.
  [[nodiscard]] static bool is_active();

  // Whether MPI has been finalised, after which it cannot be initialised again.
  [[nodiscard]] static bool is_over();

  // Collective: only initialises MPI, for a rank that is about to call abort(). False when MPI refuses.
  [[nodiscard]] static bool initialise();

  // Ends all processes of the run, with this exit code for the launcher.
  [[noreturn]] static void abort(int exit_code);

 private:
  class Library;
  std::unique_ptr<Library> library_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace convoy
