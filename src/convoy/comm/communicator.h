// Collective operations over a transport: all that the rest of Convoy knows about other ranks. A single rank is an
// ordinary case.
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

// Replaces a delegate's values by their sums over all nodes. `nodes` connects it with the delegates of the same local
// rank on the other nodes: one rank per node, in the order of nodes.
using SumBetweenNodes = std::function<void(Endpoint& nodes, std::span<float> values)>;

struct CommunicatorOptions {
  // The algorithm between nodes in the hierarchical all-reduce; any but `mpi` and `hierarchical`. `automatic` chooses
  // by the number of nodes and the size of the message.
  Algorithm between_nodes = Algorithm::automatic;
  // The measured times by which `automatic` chooses; rules of thumb decide without it. It must be the same on all ranks
  // and belong to this topology.
  std::optional<AllReduceTable> table = {};
};

// Every operation is collective: all ranks call it, in the same order, from one thread at a time. A rank that does not
// take part within the transport's deadline causes a PeerError that names it; the communicator cannot be used
// afterwards.
class Communicator {
 public:
  // The transport must outlive it. Throws UserError for options that do not work together.
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

  // On `root`, the records of all ranks in the order of ranks; empty on other ranks. For small records.
  [[nodiscard]] std::vector<std::string> gather(const std::string& record, int root = 0);

  // Gives every rank the records of all ranks, in the order of ranks: `records` has room for size() of them.
  void all_gather(std::span<const std::byte> record, std::span<std::byte> records);

  [[nodiscard]] double min(double value);
  [[nodiscard]] double max(double value);
  // Added in the order of ranks.
  [[nodiscard]] double sum(double value);
  void sum(std::span<double> values);

  // Zeroed memory of the same size on every rank, 64-byte aligned, in which the hierarchical all-reduce works in place:
  // for the gradient arena. It lives as long as the communicator.
  [[nodiscard]] std::span<std::byte> allocate_shared(std::size_t bytes);
  // The same, with access to the memory of the other ranks of the node.
  [[nodiscard]] SharedArena& allocate_arena(std::size_t bytes);

  // Replaces the values by their sum over all ranks. All ranks get the same bits, and the same values give the same
  // bits again (with `mpi`, as far as the library guarantees it). `hierarchical` works in place when the values are at
  // the same offset of the same allocate_shared() memory on all ranks; other memory is copied through shared memory.
  // Throws UserError for `mpi` without MPI.
  void all_reduce(std::span<float> values, Algorithm algorithm);

  // The same on several nodes, with a given way to sum between nodes: values are summed exactly inside each node and by
  // `between` over the nodes. `values` is memory of allocate_shared(). With `whole`, one delegate per node handles all
  // values; otherwise each delegate handles a slice.
  void all_reduce(std::span<float> values, const SumBetweenNodes& between, bool whole);

  // The same without the sums inside nodes: every rank gets the result of `between` for its delegate's own values.
  void hand_out(std::span<float> values, const SumBetweenNodes& between);

  // The measured table, if there is one.
  [[nodiscard]] const std::optional<AllReduceTable>& table() const { return options_.table; }

  // The algorithm that all_reduce() uses for these values when given `automatic`.
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
