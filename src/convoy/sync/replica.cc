#include "convoy/sync/replica.h"

#include "convoy/comm/solo/solo_transport.h"

namespace convoy {

struct Replica::Alone {
  SoloTransport transport;
  Communicator communicator{transport};
};

Replica::Replica(Communicator& communicator, std::size_t parameter_floats, std::size_t gradient_floats,
                 bool with_copies, const ReducerOptions& options)
    : communicator_(&communicator),
      memory_(communicator, parameter_floats, gradient_floats, with_copies),
      reducer_(make_gradient_reducer(communicator, memory_, options)) {
  if (options.local.steps > 1 && communicator.size() > 1) {
    local_ = std::make_unique<LocalSteps>(communicator, memory_, options);
  }
  if (options.staleness > 0 && communicator.size() > 1) {
    async_ = std::make_unique<AsyncShards>(communicator, memory_, options.staleness);
  }
}

Replica::Replica(std::span<float> parameters, std::span<float> gradients)
    : alone_(std::make_unique<Alone>()),
      communicator_(&alone_->communicator),
      memory_(parameters, gradients),
      reducer_(make_gradient_reducer(*communicator_, memory_, {})) {}

Replica::~Replica() = default;

}  // namespace convoy
