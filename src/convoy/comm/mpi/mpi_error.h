// MPI's return codes as exceptions.
#pragma once

#include <mpi.h>

namespace convoy {

// Throws PeerError with MPI's own message when `code`, the result of `call`, is not success.
void check_mpi(int code, const char* call);

}  // namespace convoy
