#include "convoy/sync/block_swap.h"

namespace convoy {

// In round k every rank sends to the k-th after it, so that all links are busy in both directions.
void BlockSwap::swap(const SwappedBlocks& blocks, std::uint64_t subject) {
  const int ranks = communicator_.size();
  const int rank = communicator_.rank();
  const auto subject_of = [&](int sender) { return subject * static_cast<std::uint64_t>(ranks) + sender; };
  blocks.write(rank, out_.resize(blocks.bytes_to(rank)));
  blocks.read(rank, out_.contents());
  for (int round = 1; round < ranks; ++round) {
    const int to = (rank + round) % ranks;
    const int from = (rank + ranks - round) % ranks;
    blocks.write(to, out_.resize(blocks.bytes_to(to)));
    out_.seal(subject_of(rank));
    (void)in_.resize(blocks.bytes_from(from));
    exchange(communicator_.transport(), to, out_, from, in_, subject_of(from), communicator_.nodes());
    blocks.read(from, in_.contents());
  }
}

}  // namespace convoy
