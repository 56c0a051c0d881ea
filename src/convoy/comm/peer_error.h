// The error of a run that has lost one of its ranks.
#pragma once

#include "convoy/base/error.h"

namespace convoy {

// Another rank was lost or MPI failed, so nothing that needs all ranks can go on. rank() is the lost one.
class PeerError : public SystemError {
 public:
  using SystemError::SystemError;
};

}  // namespace convoy
