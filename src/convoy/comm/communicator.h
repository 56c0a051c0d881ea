// What the rest of Convoy knows of other ranks: collective operations over a transport. World size one is ordinary.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/comm/algorithm.h"
#include "convoy/comm/all_reduce_table.h"
#include "convoy/comm/transport.h"

namespace convoy {

class SharedArena;
struct BetweenNodes;

// Replaces a delegate's values by their sums over all nodes, with the delegates of the same place on other nodes: the
// ranks of `nodes`, which are as many as there are nodes and in their order.
using SumBetweenNodes = std::function<void(Endpoint& nodes, std::span<float> values)>;

struct CommunicatorOptions {
  // Between nodes in the hierarchical all-reduce; any but `mpi` and `hierarchical`. `automatic` goes by the number of
  // nodes and the size of the message.
  Algorithm between_nodes = Algorithm::automatic;
  // What `automatic` goes by, beside rules of thumb. It must be the same on all ranks, and of this topology.
  std::optional<AllReduceTable> table = {};
};

// Every operation is collective: all ranks call it, in the same order, from one thread at a time. A rank that does not
// come within the transport's deadline is a PeerError that names it; the communicator is of no use afterwards.
class Communicator {
 public:
  // The transport outlives it. Throws UserError for options that cannot be.
  explicit Communicator(Transport& transport, const CommunicatorOptions& options = {});
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  [[nodiscard]] int rank() const { return transport_.rank(); }
  [[nodiscard]] int size() const { return transport_.size(); }
  [[nodiscard]] const NodeMap& nodes() const { return transport_.nodes(); }
  [[nodiscard]] Transport& transport() { return transport_; }

  void barrier() { transport_.barrier(); }

  // All ranks get `root`'s bytes; the length is the same on all.
  void broadcast(std::span<std::byte> bytes, int root = 0);
  // All ranks get `root`'s text, of any length.
  [[nodiscard]] std::string broadcast(std::string text, int root = 0);

  // Each rank's record in the order of ranks on `root`, nothing elsewhere. For small records.
  [[nodiscard]] std::vector<std::string> gather(const std::string& record, int root = 0);

  // Every rank gets each rank's record, in the order of ranks: `records` has room for size() of them.
  void all_gather(std::span<const std::byte> record, std::span<std::byte> records);

  [[nodiscard]] double min(double value);
  [[nodiscard]] double max(double value);
  // In the order of ranks.
  [[nodiscard]] double sum(double value);
  void sum(std::span<double> values);

  // Zeroed memory of the same size on every rank, 64-byte aligned, where the hierarchical all-reduce works in place:
  // for the gradient arena. It lives as long as the communicator.
  [[nodiscard]] std::span<std::byte> allocate_shared(std::size_t bytes);
  // The same, with a view of what the other ranks of the node have there.
  [[nodiscard]] SharedArena& allocate_arena(std::size_t bytes);

  // Replaces the values by their sum over all ranks. The same bits on all ranks, and the same again for the same values
  // (with `mpi`, as far as the library sees to it). `hierarchical` wants the same place of the same allocate_shared()
  // memory on all ranks; other memory is copied through shared memory. Throws UserError for `mpi` without MPI.
  void all_reduce(std::span<float> values, Algorithm algorithm);

  // The same on several nodes: summed exactly inside each of them, and by `between` over them. `values` is memory of
  // allocate_shared(); `whole` leaves it to one delegate of each node instead of giving a slice to each.
  void all_reduce(std::span<float> values, const SumBetweenNodes& between, bool whole);

  // The same without the sums inside nodes: every rank gets what `between` makes of its delegate's own values.
  void hand_out(std::span<float> values, const SumBetweenNodes& between);

  // What was measured, if it was.
  [[nodiscard]] const std::optional<AllReduceTable>& table() const { return options_.table; }

  // Which one all_reduce() takes for these values when it is told `automatic`.
  [[nodiscard]] Algorithm chosen_for(std::span<const float> values) const;

 private:
  void join_nodes();
  [[nodiscard]] BetweenNodes between_by(const SumBetweenNodes& between) const;
  void reduce_in_arena(std::span<float> values, const BetweenNodes& between);
  [[nodiscard]] SharedArena* arena_of(std::span<const float> values) const;
  void reduce_hierarchically(std::span<float> values);
  void reduce_through_staging(std::span<float> values);

  struct Memory;

  Transport& transport_;
  CommunicatorOptions options_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace convoy
