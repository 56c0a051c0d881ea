// Replaces all other sources of this folder in a program that is built without MPI (CONVOY_MPI=OFF). Such a program is
// always one rank.
#include <cstdlib>

#include "convoy/base/error.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "convoy/comm/solo/solo_transport.h"

namespace convoy {

class MpiSession::Library {};

MpiSession::MpiSession(const MpiOptions& options) : transport_(std::make_unique<SoloTransport>()) {
  transport_->set_deadline(options.deadline);
}

MpiSession::~MpiSession() = default;

Transport& MpiSession::transport() { return *transport_; }

void MpiSession::require_built() {
  throw UserError(
      "this program was built without MPI (CONVOY_MPI=OFF) and trains on one worker of this machine; leave --workers "
      "and --hosts out and start it without mpirun or srun, or build it with MPI");
}

bool MpiSession::is_active() { return false; }

bool MpiSession::is_over() { return false; }

bool MpiSession::initialise() { return false; }

void MpiSession::abort(int exit_code) { std::_Exit(exit_code); }

}  // namespace convoy
