#include "convoy/train/tally_merge.h"

#include <string>
#include <vector>

namespace convoy {

Tally merge_over_ranks(Tally own, Communicator& communicator) {
  if (communicator.size() == 1) return own;
  const std::vector<std::string> parts = communicator.gather(own.to_bytes());
  for (std::size_t rank = 1; rank < parts.size(); ++rank) {
    Tally part = own;
    part.set_bytes(parts[rank]);
    own.add(part);
  }
  own.set_bytes(communicator.broadcast(own.to_bytes()));
  return own;
}

}  // namespace convoy
