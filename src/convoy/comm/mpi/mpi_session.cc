#include "convoy/comm/mpi/mpi_session.h"

#include <mpi.h>

#include <cstdlib>
#include <exception>

#include "convoy/base/error.h"
#include "convoy/comm/mpi/mpi_error.h"
#include "convoy/comm/mpi/mpi_transport.h"

namespace convoy {

class MpiSession::Library {
 public:
  Library() {
    int initialised = 0;
    check_mpi(MPI_Initialized(&initialised), "MPI_Initialized");
    int level = MPI_THREAD_SINGLE;
    if (initialised != 0) {
      check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
    } else {
      check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
      own_ = true;
    }
    // The main thread makes the first MPI calls and a communication thread later ones, one at a time.
    if (level < MPI_THREAD_SERIALIZED) throw SystemError("MPI was initialised without MPI_THREAD_SERIALIZED");
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (own_ && usable_ && std::uncaught_exceptions() == 0) MPI_Finalize();
  }

  // After a rank was lost, MPI_Finalize would not return.
  void forget() { usable_ = false; }

 private:
  bool own_ = false;
  bool usable_ = true;
};

MpiSession::MpiSession(const MpiOptions& options)
    : library_(std::make_unique<Library>()),
      transport_(std::make_unique<MpiTransport>(MpiGroups::of_world(options.ranks_per_node), options.deadline)) {}

MpiSession::~MpiSession() {
  if (static_cast<MpiTransport&>(*transport_).broken()) library_->forget();
  transport_.reset();
}

Transport& MpiSession::transport() { return *transport_; }

void MpiSession::require_built() {}

bool MpiSession::is_active() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  return initialised != 0 && !is_over();
}

bool MpiSession::is_over() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  return finalised != 0;
}

bool MpiSession::initialise() {
  int level = MPI_THREAD_SINGLE;
  return MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level) == MPI_SUCCESS;
}

void MpiSession::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace convoy
