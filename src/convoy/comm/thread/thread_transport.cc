#include "convoy/comm/thread/thread_transport.h"

#include "convoy/base/error.h"
#include "convoy/comm/node_memory.h"

namespace convoy {

// The leader allocates the memory, tells the others where it is, and waits until each has taken its share of the
// ownership.
NodeMemory ThreadTransport::share_in_node(std::size_t bytes) {
  const std::vector<int>& ranks = nodes().ranks_of(nodes().node_of(rank()));
  NodeMemory memory;
  const NodeMemory* source = &memory;
  if (rank() == ranks.front()) {
    memory = heap_node_memory(static_cast<int>(ranks.size()), bytes);
    for (std::size_t local = 1; local < ranks.size(); ++local) {
      send(ranks[local], std::as_bytes(std::span(&source, 1)));
    }
  } else {
    receive(ranks.front(), std::as_writable_bytes(std::span(&source, 1)));
    memory = *source;
  }
  barrier();
  return memory;
}

void ThreadTransport::wait_for(const Awaited& awaited) { mail_.wait_for(rank(), awaited); }

void ThreadTransport::library_all_reduce(std::span<float> /*values*/) {
  throw UserError("the all-reduce \"mpi\" is MPI's own and these ranks are threads; choose another, such as \"ring\"");
}

void ThreadTransport::do_send(int to, std::span<const std::byte> bytes) {
  mail_.transfer(rank(), ThreadMail::Outgoing{.to = to, .bytes = bytes}, std::nullopt);
}

void ThreadTransport::do_receive(int from, std::span<std::byte> bytes) {
  mail_.transfer(rank(), std::nullopt, ThreadMail::Incoming{.from = from, .bytes = bytes});
}

void ThreadTransport::do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  mail_.transfer(rank(), ThreadMail::Outgoing{.to = to, .bytes = out}, ThreadMail::Incoming{.from = from, .bytes = in});
}

std::unique_ptr<Transfer> ThreadTransport::do_start_send(int to, int channel, std::span<const std::byte> bytes) {
  return parcels_.send({rank(), to, channel}, bytes);
}

std::unique_ptr<Transfer> ThreadTransport::do_start_receive(int from, int channel, std::span<std::byte> bytes) {
  return parcels_.receive({from, rank(), channel}, bytes);
}

}  // namespace convoy
