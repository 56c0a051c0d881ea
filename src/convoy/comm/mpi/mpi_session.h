// Joining a run of MPI processes. Nothing outside this folder sees MPI's own header.
#pragma once

#include <chrono>
#include <memory>

#include "convoy/comm/transport.h"

namespace convoy {

struct MpiOptions {
  // How long a rank waits for another.
  std::chrono::milliseconds deadline = std::chrono::seconds(60);
  // Pretend that this many neighbouring ranks of a machine are a node of their own, for tests; 0: a machine is a node.
  int ranks_per_node = 0;
};

// MPI is initialised with it, and finalised with its end unless the program, or another session, had initialised MPI
// before, an exception is on its way or a rank was lost: then the others would not come to the end, and whoever catches
// the error calls abort() or exits.
//
// In a program that is built without MPI (no_mpi.cc) a session is one rank alone.
//
// Threads: any, but one at a time.
class MpiSession {
 public:
  // Collective. Throws SystemError when MPI cannot be used that way.
  explicit MpiSession(const MpiOptions& options = {});
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  [[nodiscard]] Transport& transport();

  // Asked before more than one rank is started or joined. Throws UserError in a program that is built without MPI.
  static void require_built();

  // Whether MPI is initialised in this process and not yet finalised, by whomever.
  [[nodiscard]] static bool is_active();

  // Whether it has been finalised: it cannot be initialised again.
  [[nodiscard]] static bool is_over();

  // Collective: nothing but MPI's own start, for a rank that is about to call abort(). False when MPI refuses.
  [[nodiscard]] static bool initialise();

  // Ends all processes of the run, with this exit code for the launcher.
  [[noreturn]] static void abort(int exit_code);

 private:
  class Library;
  std::unique_ptr<Library> library_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace convoy
